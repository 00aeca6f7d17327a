/**
 * invoice: invoices and credit notes. status: draft, approved or issued; an issued one never changes, and is
 * deleted only after retain_until. lines: as computed most recently for a draft, as in the document for an
 * issued one. Amounts are in minor units of the currency. invoice_document: an issued document with its PDF.
 * invoice_series: the last number of a region and kind. invoice_number: used numbers. invoice_payment:
 * import_key identifies a row of a file, so that a file adds each row once. invoice_mail: the idempotency_key
 * of a mail that was requested without a key is its id. invoice_dispute, invoice_dispute_message: disputes of
 * lines with their history and files. billing_settings, billing_payer: settings of a region, and of an
 * operator in it. Roles and users with is_admin get the permissions for invoices.
 */
export const schema = {
  name: '007-invoices',
  sql: `
create table billing_settings (
  region_id text primary key references region (region_id) on delete cascade,
  settings jsonb not null default '{}',
  logo bytea,
  logo_media text
);
create table billing_payer (
  region_id text not null references region (region_id) on delete cascade,
  operator text not null,
  settings jsonb not null default '{}',
  primary key (region_id, operator)
);
create table invoice (
  invoice_id uuid primary key,
  region_id text not null references region (region_id),
  kind text not null check (kind in ('invoice', 'credit_note')),
  operator text not null,
  start_date text not null,
  end_date text not null,
  currency text not null,
  status text not null check (status in ('draft', 'approved', 'issued')),
  version integer not null default 1,
  original_id uuid references invoice (invoice_id),
  lines jsonb not null,
  taxes jsonb not null,
  net bigint not null,
  tax bigint not null,
  total bigint not null,
  has_estimate boolean not null default false,
  estimate jsonb,
  notes text not null default '',
  purchase_order text not null default '',
  due_date text,
  method_version integer not null,
  as_of timestamptz,
  created_time timestamptz not null,
  prepared_by text not null,
  prepared_time timestamptz not null,
  approved_by text,
  approved_time timestamptz,
  number text,
  issue_date text,
  issued_by text,
  issued_time timestamptz,
  retain_until date,
  check ((status = 'issued') = (number is not null)),
  check (status <> 'issued' or (issue_date is not null and due_date is not null and retain_until is not null))
);
create index invoice_of on invoice (region_id, operator, start_date);
create index invoice_original on invoice (original_id) where original_id is not null;
create unique index invoice_open on invoice (region_id, operator, start_date, end_date) where kind = 'invoice' and status <> 'issued';
create unique index invoice_numbered on invoice (region_id, number) where number is not null;
create table invoice_document (
  invoice_id uuid primary key references invoice (invoice_id) on delete cascade,
  region_id text not null,
  snapshot text not null,
  snapshot_sha256 text not null,
  pdf bytea not null,
  pdf_sha256 text not null,
  retain_until date not null
);
create table invoice_series (
  region_id text not null references region (region_id),
  kind text not null,
  last bigint not null,
  primary key (region_id, kind)
);
create table invoice_number (
  region_id text not null references region (region_id),
  kind text not null,
  seq bigint not null,
  number text not null,
  invoice_id uuid not null,
  used_time timestamptz not null,
  primary key (region_id, kind, seq),
  unique (region_id, number)
);
create table invoice_payment (
  payment_id uuid primary key default gen_random_uuid(),
  region_id text not null,
  invoice_id uuid not null references invoice (invoice_id) on delete cascade,
  date text not null,
  amount bigint not null check (amount > 0),
  reference text not null,
  import_key text,
  recorded_by text not null,
  recorded_time timestamptz not null,
  voided_by text,
  voided_time timestamptz
);
create index invoice_payment_of on invoice_payment (invoice_id);
create unique index invoice_payment_row on invoice_payment (region_id, import_key) where import_key is not null;
create table invoice_mail (
  mail_id uuid primary key,
  region_id text not null,
  invoice_id uuid not null references invoice (invoice_id) on delete cascade,
  idempotency_key text not null,
  is_manual boolean not null,
  state text not null check (state in ('waiting', 'sent', 'failed', 'bounced')),
  recipients jsonb not null,
  cc jsonb not null,
  note text not null,
  problem text,
  requested_by text not null,
  requested_time timestamptz not null,
  sent_time timestamptz,
  unique (invoice_id, idempotency_key)
);
create table invoice_dispute (
  dispute_id uuid primary key,
  region_id text not null,
  invoice_id uuid not null references invoice (invoice_id) on delete cascade,
  line integer not null,
  state text not null check (state in ('open', 'accepted', 'declined', 'withdrawn')),
  reason text not null,
  amount bigint not null,
  opened_time timestamptz not null,
  closed_time timestamptz,
  credit_note_id uuid references invoice (invoice_id) on delete set null
);
create unique index invoice_dispute_open on invoice_dispute (invoice_id, line) where state = 'open';
create table invoice_dispute_message (
  message_id uuid primary key default gen_random_uuid(),
  dispute_id uuid not null references invoice_dispute (dispute_id) on delete cascade,
  region_id text not null,
  number bigint generated always as identity,
  at timestamptz not null,
  by_email text not null,
  is_operator boolean not null,
  step text not null,
  text text not null,
  file_name text,
  file bytea,
  file_bytes integer,
  file_sha256 text
);
create index invoice_dispute_message_of on invoice_dispute_message (dispute_id, number);

create function refuse_change_of_issued() returns trigger language plpgsql as $guard$
begin
  if old.status = 'issued' and (tg_op = 'UPDATE' or old.retain_until >= current_date) then
    raise exception 'An issued invoice cannot be changed or deleted' using errcode = 'restrict_violation';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $guard$;
create trigger invoice_is_final before update or delete on invoice
  for each row execute function refuse_change_of_issued();

create function refuse_change_of_document() returns trigger language plpgsql as $guard$
begin
  if tg_op = 'UPDATE' or old.retain_until >= current_date then
    raise exception 'An issued document cannot be changed or deleted' using errcode = 'restrict_violation';
  end if;
  return old;
end $guard$;
create trigger invoice_document_is_final before update or delete on invoice_document
  for each row execute function refuse_change_of_document();

create function refuse_change_of_number() returns trigger language plpgsql as $guard$
begin
  raise exception 'A number that was used cannot be changed or deleted' using errcode = 'restrict_violation';
end $guard$;
create trigger invoice_number_is_final before update or delete on invoice_number
  for each row execute function refuse_change_of_number();

create function refuse_gap_of_series() returns trigger language plpgsql as $guard$
begin
  if tg_op = 'DELETE' or new.last <> old.last + 1 or new.region_id <> old.region_id or new.kind <> old.kind then
    raise exception 'A series of numbers only counts up by one' using errcode = 'restrict_violation';
  end if;
  return new;
end $guard$;
create trigger invoice_series_has_no_gaps before update or delete on invoice_series
  for each row execute function refuse_gap_of_series();

create function refuse_truncation() returns trigger language plpgsql as $guard$
begin
  raise exception 'Issued invoices cannot be deleted' using errcode = 'restrict_violation';
end $guard$;
create trigger invoice_is_not_truncated before truncate on invoice
  for each statement execute function refuse_truncation();
create trigger invoice_document_is_not_truncated before truncate on invoice_document
  for each statement execute function refuse_truncation();
create trigger invoice_number_is_not_truncated before truncate on invoice_number
  for each statement execute function refuse_truncation();

update role set permission_keys = permission_keys || ' draft_invoices approve_invoices issue_invoices record_payments'
  where 'is_admin' = any (string_to_array(permission_keys, ' '));
update "user" set "permissionKeys" = "permissionKeys" || ' draft_invoices approve_invoices issue_invoices record_payments'
  where 'is_admin' = any (string_to_array("permissionKeys", ' '));
`,
}
