import itertools

for attempt in itertools.count():
    pass
