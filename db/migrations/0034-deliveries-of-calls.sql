-- The deliveries of a batch are listed newest first, those about its calls among them: there may be one for each of its calls.

-- The batch of the call that the delivery is about; null if it is about a batch itself, a single call or a SIP webhook.
alter table webhook_deliveries add column call_batch_id text;

-- A trigger, because a process of the version before does not name it.
create function keep_batch_of_delivery() returns trigger language plpgsql as $$
begin
  select batch_id into new.call_batch_id from calls where id = new.call_id;
  return new;
end $$;
create trigger deliveries_keep_their_batch before insert on webhook_deliveries
  for each row when (new.call_id is not null and new.sip_webhook_id is null) execute function keep_batch_of_delivery();

-- Deliveries from before there was the column, a piece at a time.
create procedure fill_batches_of_deliveries() language plpgsql as $$
declare
  done text := '';
  last text;
begin
  loop
    select max(p.id) into last from (select id from webhook_deliveries where id > done order by id limit 20000) p;
    exit when last is null;
    update webhook_deliveries d set call_batch_id = c.batch_id from calls c
    where d.id > done and d.id <= last and d.sip_webhook_id is null and d.call_batch_id is null
      and c.id = d.call_id and c.batch_id is not null;
    commit;
    done := last;
  end loop;
end $$;
