"""Forgets to stop: the same solution without end."""
while True:
    print("1 3 0 2")
