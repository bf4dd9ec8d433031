-- Of which attempt the transcript is: if a call that was answered is made again, what was said before is not what was said in it.
-- null: stored by a version before this.
alter table calls add column transcript_attempt smallint;
