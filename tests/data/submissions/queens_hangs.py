"""Prints its arguments, starts a child that holds its output, and hangs."""
import subprocess
import sys
import time

sys.stdout.write("\n".join(sys.argv[2:]))
sys.stdout.flush()
child = subprocess.Popen(["sleep", "600"])
if len(sys.argv) > 2:
    with open(sys.argv[1], "w", encoding="ascii") as file:
        print(child.pid, file=file)
time.sleep(600)
