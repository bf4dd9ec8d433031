-- Its work is done; apart from the step that calls it, which may run again if it was cut off.
drop procedure fill_timeline();
