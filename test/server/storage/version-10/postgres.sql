create table aside_lines (
  collection_id uuid,
  seq bigint,
  kind smallint,
  key bytea,
  time bigint,
  extractor bigint,
  check_hash bytea,
  line_bytes integer,
  line bytea,
  taken_back smallint,
  reason text not null,
  set_aside_at bigint not null
);
CREATE INDEX aside_by_key ON aside_lines USING btree (collection_id, key);
create table aside_rows (
  table_name text not null,
  collection_id uuid,
  place text not null,
  contents text not null,
  reason text not null,
  set_aside_at bigint not null
);
create table attempts (
  id text not null,
  provider text not null,
  collection_id uuid not null,
  key_id uuid not null,
  config text not null,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint,
  ended_at bigint,
  status text not null,
  detail text,
  connection_id uuid,
  verifier bytea,
  verifier_key text,
  held bytea,
  held_key text,
  held_grant text,
  ticket_hash bytea,
  constraint attempts_pkey PRIMARY KEY (id)
);
CREATE INDEX attempts_by_expiry ON attempts USING btree (expires_at);
insert into attempts (id, provider, collection_id, key_id, config, created_at, expires_at, used_at, ended_at, status, detail, connection_id, verifier, verifier_key, held, held_key, held_grant, ticket_hash) values ('attempt-1', 'cloud_drive', '0192f000-0000-7000-8000-000000000001', '0192f000-0000-7000-8000-000000000001', '{}', '1000', '2000', '1500', '1000', 'completed', NULL, '0192f000-0000-7000-8000-000000000065', NULL, NULL, NULL, NULL, NULL, NULL);
insert into attempts (id, provider, collection_id, key_id, config, created_at, expires_at, used_at, ended_at, status, detail, connection_id, verifier, verifier_key, held, held_key, held_grant, ticket_hash) values ('attempt-2', 'cloud_drive', '0192f000-0000-7000-8000-000000000002', '0192f000-0000-7000-8000-000000000001', '{}', '1000', '2000', '1500', '1000', 'completed', NULL, '0192f000-0000-7000-8000-000000000066', NULL, NULL, NULL, NULL, NULL, NULL);
insert into attempts (id, provider, collection_id, key_id, config, created_at, expires_at, used_at, ended_at, status, detail, connection_id, verifier, verifier_key, held, held_key, held_grant, ticket_hash) values ('attempt-3', 'cloud_drive', '0192f000-0000-7000-8000-000000000003', '0192f000-0000-7000-8000-000000000001', '{}', '1000', '2000', '1500', '5000', 'completed', NULL, '0192f000-0000-7000-8000-000000000067', NULL, NULL, NULL, NULL, NULL, NULL);
insert into attempts (id, provider, collection_id, key_id, config, created_at, expires_at, used_at, ended_at, status, detail, connection_id, verifier, verifier_key, held, held_key, held_grant, ticket_hash) values ('waiting', 'cloud_drive', '0192f000-0000-7000-8000-000000000001', '0192f000-0000-7000-8000-000000000001', '{}', '1000', '2000', '1500', NULL, 'waiting', NULL, NULL, E'\\xfa5fb28f943c19966f3a323ca4a2921852639ba86b4039eefb85112325b4ff57', 'key-1', E'\\x1a88debb0e98f80c99fe01b9115baa4b54c75b24c66713d236c9c09618682447', 'key-1', '{"account":{"id":"bob","name":"bob@example.com"},"clientId":"client","expiresAt":9000}', E'\\x4141f2005efda3ad037f9f1d1836ce0bee79eee6fc911dc7fbfdbd2fdf320fe3');
create table collections (
  id uuid not null,
  name text not null,
  created_at bigint not null,
  expires_at bigint,
  owner_key_id uuid,
  snapshot_id text not null,
  memories bigint not null default 0,
  seq bigint not null default 0,
  deleted_at bigint,
  damaged bigint not null default 0,
  constraint collections_pkey PRIMARY KEY (id)
);
CREATE INDEX collections_deleted ON collections USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX collections_expiry ON collections USING btree (expires_at) WHERE (expires_at IS NOT NULL);
insert into collections (id, name, created_at, expires_at, owner_key_id, snapshot_id, memories, seq, deleted_at, damaged) values ('0192f000-0000-7000-8000-000000000001', 'collection 1', '1001', NULL, NULL, 'snp_1', '5', '9', NULL, '0');
insert into collections (id, name, created_at, expires_at, owner_key_id, snapshot_id, memories, seq, deleted_at, damaged) values ('0192f000-0000-7000-8000-000000000002', 'collection 2', '1002', NULL, NULL, 'snp_2', '2', '2', NULL, '0');
insert into collections (id, name, created_at, expires_at, owner_key_id, snapshot_id, memories, seq, deleted_at, damaged) values ('0192f000-0000-7000-8000-000000000003', 'collection 3', '1003', NULL, NULL, 'snp_3', '0', '0', NULL, '0');
insert into collections (id, name, created_at, expires_at, owner_key_id, snapshot_id, memories, seq, deleted_at, damaged) values ('0192f000-0000-7000-8000-000000000004', 'collection 4', '1004', '9000', '0192f000-0000-7000-8000-000000000001', 'snp_4', '0', '0', NULL, '0');
create table connections (
  id uuid not null,
  provider text not null,
  collection_id uuid not null,
  account_key bytea not null,
  account text not null,
  status text not null,
  config text not null,
  credential_id text,
  last_error text,
  created_at bigint not null,
  revoked_at bigint,
  version bigint not null,
  cursor_generation bigint not null,
  next_run_at bigint,
  paused_at bigint,
  requested_at bigint,
  lease_owner text,
  lease_until bigint,
  run_id uuid,
  progress text,
  last_synced_at bigint,
  fence bigint not null default 0,
  last_pass bigint not null default 0,
  failures bigint not null default 0,
  items_synced bigint not null default 0,
  cleanup bigint not null default 0,
  constraint connections_pkey PRIMARY KEY (id)
);
CREATE INDEX connections_by_collection ON connections USING btree (collection_id);
CREATE INDEX connections_by_credential ON connections USING btree (credential_id) WHERE (credential_id IS NOT NULL);
CREATE INDEX connections_due ON connections USING btree (next_run_at) WHERE ((next_run_at IS NOT NULL) AND ((paused_at IS NULL) OR (requested_at IS NOT NULL)));
CREATE INDEX connections_held ON connections USING btree (collection_id, lease_until) WHERE (lease_until IS NOT NULL);
CREATE INDEX connections_to_clean ON connections USING btree (id) WHERE (cleanup = 1);
CREATE UNIQUE INDEX connections_by_account ON connections USING btree (collection_id, provider, account_key) WHERE (revoked_at IS NULL);
insert into connections (id, provider, collection_id, account_key, account, status, config, credential_id, last_error, created_at, revoked_at, version, cursor_generation, next_run_at, paused_at, requested_at, lease_owner, lease_until, run_id, progress, last_synced_at, fence, last_pass, failures, items_synced, cleanup) values ('0192f000-0000-7000-8000-000000000065', 'cloud_drive', '0192f000-0000-7000-8000-000000000001', E'\\x31d735b93b549f7171ea91f379e59ee34f860714efbf2eed4c7f89ba6efc1c34', '{"id":"account 1","name":""}', 'active', '{}', 'credential-1', NULL, '1000', NULL, '1', '1', '5000', '4100', NULL, NULL, NULL, '0192f000-0000-7000-8000-0000000003e8', '"half"', '4000', '1', '1', '0', '2', '0');
insert into connections (id, provider, collection_id, account_key, account, status, config, credential_id, last_error, created_at, revoked_at, version, cursor_generation, next_run_at, paused_at, requested_at, lease_owner, lease_until, run_id, progress, last_synced_at, fence, last_pass, failures, items_synced, cleanup) values ('0192f000-0000-7000-8000-000000000066', 'cloud_drive', '0192f000-0000-7000-8000-000000000002', E'\\x58e4dd5f6d97fe0492d568da175cfc6d241d3b3de201d4b73aa3014307923362', '{"id":"account 2","name":""}', 'revoked', '{}', NULL, '"no luck"', '1000', '4200', '2', '1', NULL, NULL, NULL, NULL, NULL, '0192f000-0000-7000-8000-0000000007d0', NULL, NULL, '2', '1', '0', '1', '1');
insert into connections (id, provider, collection_id, account_key, account, status, config, credential_id, last_error, created_at, revoked_at, version, cursor_generation, next_run_at, paused_at, requested_at, lease_owner, lease_until, run_id, progress, last_synced_at, fence, last_pass, failures, items_synced, cleanup) values ('0192f000-0000-7000-8000-000000000067', 'cloud_drive', '0192f000-0000-7000-8000-000000000003', E'\\xf78f3613a5b26326aea47da60aa918d3584ad8ee62c66ed324121671513ebeb5', '{"id":"account 3","name":""}', 'active', '{}', 'credential-3', NULL, '5000', NULL, '1', '1', '5000', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '0', '0', '0', '0', '0');
create table credentials (
  id text not null,
  credential_key bytea not null,
  provider text not null,
  client_id text not null,
  account_id text not null,
  secret bytea not null,
  secret_key text not null,
  expires_at bigint,
  lease_owner text,
  lease_until bigint,
  unused_since bigint,
  constraint credentials_pkey PRIMARY KEY (id),
  constraint credentials_credential_key_key UNIQUE (credential_key)
);
CREATE INDEX credentials_by_secret_key ON credentials USING btree (secret_key);
CREATE INDEX credentials_unused ON credentials USING btree (unused_since) WHERE (unused_since IS NOT NULL);
insert into credentials (id, credential_key, provider, client_id, account_id, secret, secret_key, expires_at, lease_owner, lease_until, unused_since) values ('credential-1', E'\\xb2bad08558d12f0244e19918fb5c2769fc98169270b8a02a87871b8dc4956529', 'cloud_drive', '"client"', '"account 1"', E'\\x626621566d0e2c7ab4a6fa1b61c2f9840f188214bfc57768ec8f93c22d46cf5f', 'key-1', '9001', NULL, NULL, NULL);
insert into credentials (id, credential_key, provider, client_id, account_id, secret, secret_key, expires_at, lease_owner, lease_until, unused_since) values ('credential-3', E'\\xcdbb08d2b0f4158faba57b7d41cfeff9eb7c53253e892aa45411935b01e4ee68', 'cloud_drive', '"client"', '"account 3"', E'\\xdb61cd751c3da92bd2f6c0d57701bf039d2235d759a592814aa69c59dd2738ce', 'key-1', '9003', NULL, NULL, NULL);
create table damaged_lines (
  collection_id uuid not null,
  seq bigint not null,
  reason text not null,
  found_at bigint not null,
  constraint damaged_lines_pkey PRIMARY KEY (collection_id, seq)
);
create table holdings (
  collection_id uuid not null,
  memory_key bytea not null,
  connection_id uuid not null,
  item_id bytea not null,
  constraint holdings_pkey PRIMARY KEY (collection_id, memory_key, connection_id, item_id)
);
CREATE INDEX holdings_by_item ON holdings USING btree (connection_id, item_id);
insert into holdings (collection_id, memory_key, connection_id, item_id) values ('0192f000-0000-7000-8000-000000000001', E'\\x4b4006ccbaedb5aae10b4be2d1c1cafd00000000000000000000000000000000', '0192f000-0000-7000-8000-000000000065', E'\\x646f63');
insert into holdings (collection_id, memory_key, connection_id, item_id) values ('0192f000-0000-7000-8000-000000000001', E'\\x7f729e47955e6e01160fdd0370f0397300000000000000000000000000000000', '0192f000-0000-7000-8000-000000000065', E'\\x646f63');
insert into holdings (collection_id, memory_key, connection_id, item_id) values ('0192f000-0000-7000-8000-000000000001', E'\\xcce5ca39a558f7ad2c634cd69586a0c300000000000000000000000000000000', '0192f000-0000-7000-8000-000000000065', E'\\x70616765');
insert into holdings (collection_id, memory_key, connection_id, item_id) values ('0192f000-0000-7000-8000-000000000001', E'\\xcce5ca39a558f7ad2c634cd69586a0c300000000000000000000000000000000', '00000000-0000-0000-0000-000000000000', E'\\x30303030303030302d303030302d303030302d303030302d303030303030303030303030');
insert into holdings (collection_id, memory_key, connection_id, item_id) values ('0192f000-0000-7000-8000-000000000001', E'\\xfe29ae7f0ae2def646c3a7bc1e9d27b400000000000000000000000000000000', '0192f000-0000-7000-8000-000000000065', E'\\x70616765');
insert into holdings (collection_id, memory_key, connection_id, item_id) values ('0192f000-0000-7000-8000-000000000002', E'\\xf17ab66dd63fba325e3d0b402a71a7d800000000000000000000000000000000', '0192f000-0000-7000-8000-000000000066', E'\\x6d61696c');
create table items (
  connection_id uuid not null,
  item_id bytea not null,
  place_key bytea,
  place text,
  version text,
  title text,
  url text,
  status text not null,
  content_hash bytea,
  reason text,
  tries integer not null,
  next_try_at bigint,
  seen_pass bigint not null,
  missing_pass bigint,
  changed_at bigint not null,
  absent_since bigint,
  absent_pass bigint,
  constraint items_pkey PRIMARY KEY (connection_id, item_id)
);
CREATE INDEX items_by_place ON items USING btree (connection_id, place_key) WHERE (place_key IS NOT NULL);
CREATE INDEX items_to_try ON items USING btree (connection_id, next_try_at) WHERE (next_try_at IS NOT NULL);
insert into items (connection_id, item_id, place_key, place, version, title, url, status, content_hash, reason, tries, next_try_at, seen_pass, missing_pass, changed_at, absent_since, absent_pass) values ('0192f000-0000-7000-8000-000000000065', E'\\x626164', NULL, NULL, NULL, NULL, NULL, 'failed', NULL, '"not found"', '1', '4000', '1', NULL, '3000', NULL, NULL);
insert into items (connection_id, item_id, place_key, place, version, title, url, status, content_hash, reason, tries, next_try_at, seen_pass, missing_pass, changed_at, absent_since, absent_pass) values ('0192f000-0000-7000-8000-000000000065', E'\\x646f63', NULL, NULL, NULL, NULL, NULL, 'synced', E'\\x01f650e85c95620160b40ed22626dca932e9f700ffe599be060da184dd4d7822', NULL, '0', NULL, '1', NULL, '3000', NULL, NULL);
insert into items (connection_id, item_id, place_key, place, version, title, url, status, content_hash, reason, tries, next_try_at, seen_pass, missing_pass, changed_at, absent_since, absent_pass) values ('0192f000-0000-7000-8000-000000000065', E'\\x6f6464', NULL, NULL, NULL, NULL, NULL, 'skipped', NULL, '"too large"', '0', NULL, '1', NULL, '3000', NULL, NULL);
insert into items (connection_id, item_id, place_key, place, version, title, url, status, content_hash, reason, tries, next_try_at, seen_pass, missing_pass, changed_at, absent_since, absent_pass) values ('0192f000-0000-7000-8000-000000000065', E'\\x70616765', NULL, NULL, NULL, NULL, NULL, 'synced', E'\\xf4c4145af14d5a89076e9f7fdbafc57166170dcee988f963ed90aba921fcbd2f', NULL, '0', NULL, '1', NULL, '3000', NULL, NULL);
insert into items (connection_id, item_id, place_key, place, version, title, url, status, content_hash, reason, tries, next_try_at, seen_pass, missing_pass, changed_at, absent_since, absent_pass) values ('0192f000-0000-7000-8000-000000000066', E'\\x6d61696c', NULL, NULL, NULL, NULL, NULL, 'synced', E'\\x4182765a191207bfca29e38532e6f5939ea8276a528390c73c8eeba3ecc332c0', NULL, '0', NULL, '1', NULL, '3000', NULL, NULL);
create table keys (
  id uuid not null,
  name text not null,
  hash bytea not null,
  admin smallint not null,
  created_at bigint not null,
  revoked_at bigint,
  constraint keys_pkey PRIMARY KEY (id),
  constraint keys_hash_key UNIQUE (hash)
);
insert into keys (id, name, hash, admin, created_at, revoked_at) values ('0192f000-0000-7000-8000-000000000001', 'key 1', E'\\x5485cb5d03981cc3bd989290a6be33ca392c013279a5c3c3fd10a1cae57e1460', '0', '1001', NULL);
insert into keys (id, name, hash, admin, created_at, revoked_at) values ('0192f000-0000-7000-8000-000000000002', 'key 2', E'\\xded6c02a4bc1fb712f3b71efcb883ad5b31f4cef6a327b079573143ec9c71fb3', '0', '1002', NULL);
create table ledger (
  connection_id uuid not null,
  entry_key bytea not null,
  value text not null,
  constraint ledger_pkey PRIMARY KEY (connection_id, entry_key)
);
insert into ledger (connection_id, entry_key, value) values ('0192f000-0000-7000-8000-000000000065', E'\\x637572736f72', '"here"');
insert into ledger (connection_id, entry_key, value) values ('0192f000-0000-7000-8000-000000000065', E'\\x6f74686572', '"there"');
create table reads (
  connection_id uuid not null,
  item_id bytea not null,
  version text,
  attempts integer not null,
  run_id uuid,
  constraint reads_pkey PRIMARY KEY (connection_id, item_id)
);
create table records (
  collection_id uuid not null,
  seq bigint not null,
  kind smallint not null,
  key bytea not null,
  time bigint not null,
  extractor bigint not null,
  check_hash bytea not null,
  line_bytes integer not null,
  line bytea not null,
  taken_back smallint not null default 0,
  constraint records_pkey PRIMARY KEY (collection_id, seq),
  constraint records_by_key UNIQUE (collection_id, key, kind)
);
insert into records (collection_id, seq, kind, key, time, extractor, check_hash, line_bytes, line, taken_back) values ('0192f000-0000-7000-8000-000000000001', '1', '0', E'\\xcce5ca39a558f7ad2c634cd69586a0c300000000000000000000000000000000', '1700000000000', '1', E'\\x102b1ae318e0c6c5f80a8e682b0cb12e81bfbdaa388b279403152a7b325e3d33', '244', E'\\x7b226174223a22323032332d31312d31345432323a31333a32302e3030305a222c22657874726163746f72223a312c226964223a226d656d5f6363653563613339613535386637616432633633346364363935383661306333222c226d65746164617461223a7b2274657874223a2262792068616e64227d2c2274657874223a2262792068616e64222c2274797065223a226d656d6f7279222c22756e6461746564223a747275652c22636865636b223a2231303262316165333138653063366335663830613865363832623063623132653831626662646161333838623237393430333135326137623332356533643333227d', '0');
insert into records (collection_id, seq, kind, key, time, extractor, check_hash, line_bytes, line, taken_back) values ('0192f000-0000-7000-8000-000000000001', '2', '0', E'\\xeeb613db95f5910a15065768b2b1a7cc00000000000000000000000000000000', '1700000000000', '1', E'\\x5e082705012c2b7c85b664e9439bc0800af44816bc759842619e419c8a172c79', '238', E'\\x7b226174223a22323032332d31312d31345432323a31333a32302e3030305a222c22657874726163746f72223a312c226964223a226d656d5f6565623631336462393566353931306131353036353736386232623161376363222c226d65746164617461223a7b2274657874223a22616c736f227d2c2274657874223a22616c736f222c2274797065223a226d656d6f7279222c22756e6461746564223a747275652c22636865636b223a2235653038323730353031326332623763383562363634653934333962633038303061663434383136626337353938343236313965343139633861313732633739227d', '0');
insert into records (collection_id, seq, kind, key, time, extractor, check_hash, line_bytes, line, taken_back) values ('0192f000-0000-7000-8000-000000000001', '4', '1', E'\\xbbae3a4833d4e4331739753cd76f347000000000000000000000000000000000', '5', '0', E'\\x4ab0a2624685541d1e8d54760439d1a2a19477fa8f5eded78f0596f8f3cc64ee', '246', E'\\x7b226174223a22313937302d30312d30315430303a30303a30302e3030355a222c226964223a226667745f3235383938313663353939383134633739396536666137643465623238363934222c22726561736f6e223a22666f7267657420666f72676f7474656e2035222c22746172676574223a226d656d5f6262616533613438333364346534333331373339373533636437366633343730222c2274797065223a22666f72676574222c22636865636b223a2234616230613236323436383535343164316538643534373630343339643161326131393437376661386635656465643738663035393666386633636336346565227d', '0');
insert into records (collection_id, seq, kind, key, time, extractor, check_hash, line_bytes, line, taken_back) values ('0192f000-0000-7000-8000-000000000001', '5', '0', E'\\x7f729e47955e6e01160fdd0370f0397300000000000000000000000000000000', '1700000000000', '1', E'\\x7b7b18cf2f8c057ef05717e9e5b521a685c0fcd80d21935ac7a6de494dff1cc6', '232', E'\\x7b226174223a22323032332d31312d31345432323a31333a32302e3030305a222c22657874726163746f72223a312c226964223a226d656d5f3766373239653437393535653665303131363066646430333730663033393733222c226d65746164617461223a7b2274657874223a2278227d2c2274657874223a2278222c2274797065223a226d656d6f7279222c22756e6461746564223a747275652c22636865636b223a2237623762313863663266386330353765663035373137653965356235323161363835633066636438306432313933356163376136646534393464666631636336227d', '0');
insert into records (collection_id, seq, kind, key, time, extractor, check_hash, line_bytes, line, taken_back) values ('0192f000-0000-7000-8000-000000000001', '6', '0', E'\\x4b4006ccbaedb5aae10b4be2d1c1cafd00000000000000000000000000000000', '1700000000000', '1', E'\\xede6ea4663761274dc90d7122c9d2b7326720cc753460d6230e0230eef1226c5', '232', E'\\x7b226174223a22323032332d31312d31345432323a31333a32302e3030305a222c22657874726163746f72223a312c226964223a226d656d5f3462343030366363626165646235616165313062346265326431633163616664222c226d65746164617461223a7b2274657874223a2279227d2c2274657874223a2279222c2274797065223a226d656d6f7279222c22756e6461746564223a747275652c22636865636b223a2265646536656134363633373631323734646339306437313232633964326237333236373230636337353334363064363233306530323330656566313232366335227d', '0');
insert into records (collection_id, seq, kind, key, time, extractor, check_hash, line_bytes, line, taken_back) values ('0192f000-0000-7000-8000-000000000001', '7', '0', E'\\xfe29ae7f0ae2def646c3a7bc1e9d27b400000000000000000000000000000000', '1700000000000', '1', E'\\x038180dc1d7d902c00692a731b9ac11d7c90b009289d20844c0ffd2a0c2b2a82', '232', E'\\x7b226174223a22323032332d31312d31345432323a31333a32302e3030305a222c22657874726163746f72223a312c226964223a226d656d5f6665323961653766306165326465663634366333613762633165396432376234222c226d65746164617461223a7b2274657874223a227a227d2c2274657874223a227a222c2274797065223a226d656d6f7279222c22756e6461746564223a747275652c22636865636b223a2230333831383064633164376439303263303036393261373331623961633131643763393062303039323839643230383434633066666432613063326232613832227d', '0');
insert into records (collection_id, seq, kind, key, time, extractor, check_hash, line_bytes, line, taken_back) values ('0192f000-0000-7000-8000-000000000001', '9', '1', E'\\xc76ea156df7856c551c928048e330db100000000000000000000000000000000', '3000', '0', E'\\x91b2f215efd445ff2a4350acdc2db483693de75af423aa2497610fbabd039d2f', '249', E'\\x7b226174223a22313937302d30312d30315430303a30303a30332e3030305a222c226964223a226667745f3532633066383766353335646166656562633330363832343332623066646132222c22726561736f6e223a2264656c657465642061742074686520736f75726365222c22746172676574223a226d656d5f6337366561313536646637383536633535316339323830343865333330646231222c2274797065223a22666f72676574222c22636865636b223a2239316232663231356566643434356666326134333530616364633264623438333639336465373561663432336161323439373631306662616264303339643266227d', '1');
insert into records (collection_id, seq, kind, key, time, extractor, check_hash, line_bytes, line, taken_back) values ('0192f000-0000-7000-8000-000000000002', '1', '0', E'\\xd7a165d34eabc32e082fda7e9a23568100000000000000000000000000000000', '1700000000000', '1', E'\\xfd39ea277e94eb0d86043a55cc282f446efc7df507bd6be704e3e505cd6addb2', '254', E'\\x7b226174223a22323032332d31312d31345432323a31333a32302e3030305a222c22657874726163746f72223a312c226964223a226d656d5f6437613136356433346561626333326530383266646137653961323335363831222c226d65746164617461223a7b2274657874223a22c3a920f09f9782efb88f2074657874227d2c2274657874223a22656c73657768657265222c2274797065223a226d656d6f7279222c22756e6461746564223a747275652c22636865636b223a2266643339656132373765393465623064383630343361353563633238326634343665666337646635303762643662653730346533653530356364366164646232227d', '0');
insert into records (collection_id, seq, kind, key, time, extractor, check_hash, line_bytes, line, taken_back) values ('0192f000-0000-7000-8000-000000000002', '2', '0', E'\\xf17ab66dd63fba325e3d0b402a71a7d800000000000000000000000000000000', '1700000000000', '1', E'\\x10158d6dea19ea8d8067df0c0a2a58f6e21b84277594c6ae4e4d58beed230801', '232', E'\\x7b226174223a22323032332d31312d31345432323a31333a32302e3030305a222c22657874726163746f72223a312c226964223a226d656d5f6631376162363664643633666261333235653364306234303261373161376438222c226d65746164617461223a7b2274657874223a226d227d2c2274657874223a226d222c2274797065223a226d656d6f7279222c22756e6461746564223a747275652c22636865636b223a2231303135386436646561313965613864383036376466306330613261353866366532316238343237373539346336616534653464353862656564323330383031227d', '0');
create table runs (
  id uuid not null,
  connection_id uuid not null,
  trigger text not null,
  started_at bigint not null,
  ended_at bigint,
  outcome text,
  error text,
  reasons text not null,
  seen bigint not null default 0,
  created bigint not null default 0,
  updated bigint not null default 0,
  unchanged bigint not null default 0,
  deleted bigint not null default 0,
  failed bigint not null default 0,
  skipped bigint not null default 0,
  constraint runs_pkey PRIMARY KEY (id)
);
CREATE INDEX runs_by_connection ON runs USING btree (connection_id, started_at);
insert into runs (id, connection_id, trigger, started_at, ended_at, outcome, error, reasons, seen, created, updated, unchanged, deleted, failed, skipped) values ('0192f000-0000-7000-8000-0000000003e8', '0192f000-0000-7000-8000-000000000065', 'schedule', '3000', '4000', 'succeeded', NULL, '{}', '0', '0', '0', '0', '1', '0', '0');
insert into runs (id, connection_id, trigger, started_at, ended_at, outcome, error, reasons, seen, created, updated, unchanged, deleted, failed, skipped) values ('0192f000-0000-7000-8000-0000000007d0', '0192f000-0000-7000-8000-000000000066', 'schedule', '3000', '4000', 'failed', '"no luck"', '{}', '0', '0', '0', '0', '0', '0', '0');
create table schema_versions (
  version integer not null,
  name text not null,
  applied_at bigint not null,
  constraint schema_versions_pkey PRIMARY KEY (version)
);
insert into schema_versions (version, name, applied_at) values ('1', 'collections, keys and records', '1795462225890');
insert into schema_versions (version, name, applied_at) values ('10', 'reads', '1795462225890');
insert into schema_versions (version, name, applied_at) values ('2', 'connectors', '1795462225890');
insert into schema_versions (version, name, applied_at) values ('3', 'syncing', '1795462225890');
insert into schema_versions (version, name, applied_at) values ('4', 'store id', '1795462225890');
insert into schema_versions (version, name, applied_at) values ('5', 'damage', '1795462225890');
insert into schema_versions (version, name, applied_at) values ('6', 'unconfirmed absences', '1795462225890');
insert into schema_versions (version, name, applied_at) values ('7', 'whole times', '1795462225890');
insert into schema_versions (version, name, applied_at) values ('8', 'rows set aside', '1795462225890');
insert into schema_versions (version, name, applied_at) values ('9', 'what a scrub has found', '1795462225890');
create table scrub (
  id smallint not null,
  owner text,
  lease_until bigint,
  position text,
  ended_at bigint,
  damage bigint not null default 0,
  found bigint not null default 0,
  constraint scrub_pkey PRIMARY KEY (id)
);
create table store (
  id smallint not null,
  store_id text not null,
  constraint store_pkey PRIMARY KEY (id)
);
insert into store (id, store_id) values ('1', 'st_0123456789abcdef0123456789abcdef');
create table vault (
  id smallint not null,
  current_key text not null,
  constraint vault_pkey PRIMARY KEY (id)
);
insert into vault (id, current_key) values ('1', 'key-1');
create table grants (
  key_id uuid not null,
  collection_id uuid not null,
  permission text not null,
  constraint grants_key_id_fkey FOREIGN KEY (key_id) REFERENCES keys(id) ON DELETE CASCADE,
  constraint grants_pkey PRIMARY KEY (key_id, collection_id)
);
CREATE INDEX grants_by_collection ON grants USING btree (collection_id);
insert into grants (key_id, collection_id, permission) values ('0192f000-0000-7000-8000-000000000002', '0192f000-0000-7000-8000-000000000001', 'read');
insert into grants (key_id, collection_id, permission) values ('0192f000-0000-7000-8000-000000000002', '0192f000-0000-7000-8000-000000000002', 'edit');
