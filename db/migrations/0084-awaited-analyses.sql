-- Until when a call that was answered may still be called again because its analysis finds no success. null: nothing depends on it.
alter table calls add column analysis_until timestamptz;
