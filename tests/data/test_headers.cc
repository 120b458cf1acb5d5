// What the precompiled header of the unit tests is made with: every library needs a source.
