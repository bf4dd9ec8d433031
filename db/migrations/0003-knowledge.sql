-- Tools that an agent can call, and what it can look up.

-- ------------------------------------------------------------------------------------------------------- tools

create table tools (
  id text primary key,
  account_id text not null references accounts,
  -- Name of the function as the language model sees it
  name text not null check (name ~ '^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$'),
  description text not null,
  -- JSON Schema of an object; json, not jsonb: models read properties in the order in which they were written
  parameters json not null,
  method text not null check (method in ('GET', 'POST', 'PUT', 'PATCH', 'DELETE')),
  url text not null,
  -- Header → masked value, as answers show it
  headers json not null default '{}',
  -- The same with the values themselves, as sealed JSON; null where there are none
  headers_sealed text,
  timeout_seconds smallint not null default 10 check (timeout_seconds between 1 and 60),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (account_id, name)
);
create index tools_by_account on tools (account_id, created_at desc, id desc);

-- ----------------------------------------------------------------------------------------------------- folders

create table knowledge_base_folders (
  id text primary key,
  account_id text not null references accounts,
  name text not null check (length(name) between 1 and 256),
  -- null: at the top
  parent_id text,
  -- 1 at the top. Folders of an account are made, moved and deleted one at a time (a lock on the account), so that it
  -- stays true and no folder gets into itself.
  level smallint not null check (level between 1 and 3),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- What the foreign keys below point to: a parent is always of the same account.
  unique (account_id, id),
  foreign key (account_id, parent_id) references knowledge_base_folders (account_id, id),
  check ((parent_id is null) = (level = 1)),
  unique nulls not distinct (account_id, parent_id, name)
);
create index knowledge_base_folders_by_account on knowledge_base_folders (account_id, created_at desc, id desc);

-- --------------------------------------------------------------------------------------------- knowledge bases

create table knowledge_bases (
  id text primary key,
  account_id text not null references accounts,
  name text not null check (length(name) between 1 and 256),
  folder_id text,
  source text not null check (source in ('text', 'url', 'file')),
  url text,
  filename text,
  status text not null default 'processing' check (status in ('processing', 'ready', 'failed')),
  -- Why it failed, in words that say what to do about it
  reason text,
  -- How often reading has begun. A document that ends its reader again and again is given up.
  tries smallint not null default 0,
  -- ISO 639-1, null where it is not known
  language text,
  -- Text search configuration of its passages and of questions to them
  search_config text not null default 'simple',
  characters integer,
  passages integer,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (account_id, folder_id) references knowledge_base_folders (account_id, id),
  check ((source = 'url') = (url is not null)),
  check ((source = 'file') = (filename is not null)),
  check ((status = 'failed') = (reason is not null)),
  check ((status = 'ready') = (characters is not null and passages is not null))
);
create index knowledge_bases_by_account on knowledge_bases (account_id, created_at desc, id desc);
create index knowledge_bases_by_folder on knowledge_bases (account_id, folder_id, created_at desc, id desc);
create index knowledge_bases_processing on knowledge_bases (id) where status = 'processing';

-- What was sent, or fetched from the URL: kept until the knowledge base is deleted.
create table knowledge_base_documents (
  knowledge_base_id text primary key references knowledge_bases on delete cascade,
  account_id text not null references accounts,
  kind text not null check (kind in ('text', 'html', 'pdf', 'docx')),
  byte_size integer not null,
  bytes bytea not null
);
alter table knowledge_base_documents alter column bytes set storage external;

-- The text that was found in it.
create table knowledge_base_contents (
  knowledge_base_id text primary key references knowledge_bases on delete cascade,
  account_id text not null references accounts,
  content text not null
);

create table knowledge_base_passages (
  knowledge_base_id text not null references knowledge_bases on delete cascade,
  -- Place in the document, from 0
  position integer not null check (position >= 0),
  account_id text not null references accounts,
  text text not null,
  search tsvector not null,
  primary key (knowledge_base_id, position)
);
create index knowledge_base_passages_search on knowledge_base_passages using gin (search);

-- Versions in force beside the latest: what they use is not deleted.
create index deployments_in_force on deployments (account_id) where status in ('pending', 'live');
