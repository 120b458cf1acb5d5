"""The rule fdo_profile."""

fdo_profile = native.fdo_profile
