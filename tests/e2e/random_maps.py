#!/usr/bin/env python3
"""Writes a recording, as text, of processes that map, fork, execute and exit at random.

    random_maps.py PLAIN.TXT SEED

Samples are taken from PLAIN.TXT, a recording of one process; each is moved to where its new process has, or
once had, the program mapped. Times may contradict the order of records, and may be missing.
"""
import random
import sys

ADDRESSES = [0, 0x7000000, 0x9000000, 0x1000]  # added to those of the plain recording


def fields(line):
    return dict(word.split("=", 1) for word in line.split()[1:] if "=" in word)


class Story:
    def __init__(self, plain, seed):
        self.random = random.Random(seed)
        self.map = fields(next(line for line in plain if line.startswith("mmap2") and line.endswith("/prog")))
        base, length = int(self.map["addr"], 0), int(self.map["len"], 0)
        self.samples = [line.split(" ", 3)[3] for line in plain if line.startswith("sample") and
                        base <= int(fields(line)["ip"], 0) < base + length]
        self.time = 10
        self.pids = [100, 200, 300][:self.random.randint(1, 3)] + [400]
        self.moved = {}  # where a process has the program, by pid
        self.records = []

    def record(self, text, moved=0):
        self.time += self.random.randint(1, 5)
        self.records.append(f"shift by={moved}\n" + text.format(time=self.time))

    def add_map(self, pid):
        chance = self.random.random()
        path = self.map["path"]
        path = path + " (deleted)" if chance < 0.08 else "/other/prog" if chance < 0.14 else path
        offset = "0" if self.random.random() < 0.04 else self.map["pgoff"]
        protection = "r-xp" if self.random.random() < 0.92 else "r--p"
        self.moved[pid] = self.random.choice(ADDRESSES)
        self.record(f"mmap2 pid={pid} time={{time}} addr={self.map['addr']} len={self.map['len']} "
                    f"pgoff={offset} prot={protection} path={path}", self.moved[pid])

    def add_fork(self, pid):
        child = self.random.choice(self.pids + [500])
        self.record(f"fork pid={child} parent={pid} time={{time}}")
        if pid in self.moved:
            self.moved[child] = self.moved[pid]
        if child not in self.pids:
            self.pids.append(child)

    def add_samples(self, pid):
        moved = self.moved.get(pid, 0) if self.random.random() < 0.9 else self.random.choice(ADDRESSES)
        for _ in range(self.random.randint(1, 6)):
            sample = self.random.choice(self.samples)
            if self.random.random() < 0.05:
                sample = sample.split("branches=")[0] + "branches="
            self.record(f"sample pid={pid} time={{time}} {sample}", moved)

    def tell(self):
        for _ in range(self.random.randint(3, 12)):
            pid = self.random.choice(self.pids)
            chance = self.random.random()
            if chance < 0.35:
                self.add_map(pid)
            elif chance < 0.45:
                self.add_fork(pid)
            elif chance < 0.5:
                self.record(f"comm pid={pid} time={{time}} exec={self.random.randint(0, 1)} name=x")
            elif chance < 0.55:
                self.record(f"exit pid={pid} parent=1 time={{time}}")
            else:
                self.add_samples(pid)
        if self.random.random() < 0.3:
            self.random.shuffle(self.records)
        flags = "flags=sample_id_all" if self.random.random() < 0.75 else ""
        print(f"event name=b type=ip,tid,time,branch branch=user,any {flags}")
        print("\n".join(self.records))


def main():
    with open(sys.argv[1]) as plain:
        Story(plain.read().splitlines(), int(sys.argv[2])).tell()


if __name__ == "__main__":
    main()
