"""Runs into its own mistake after the first solution."""
import sys

print("1 3 0 2", flush=True)
sys.stdout.write("2 0 3")
sys.stdout.flush()
print([][0])
