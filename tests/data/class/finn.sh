# Assigns the solutions and forgets to print them.
boards="1 3 0 2"
