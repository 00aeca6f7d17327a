/**
 * report_schedule: a report that is sent every week or month. report_recipient: a recipient of it. With the
 * token, the recipient unsubscribes without a sign-in. report_run: the report of one period. A period runs
 * once automatically, and any number of times on request.
 */
export const schema = {
  name: '004-report-schedules',
  sql: `
create table report_schedule (
  schedule_id uuid primary key default gen_random_uuid(),
  region_id text not null references region (region_id) on delete cascade,
  report text not null,
  cadence text not null,
  day integer not null,
  user_id text not null references "user" (id) on delete cascade,
  created_by text not null,
  created_time timestamptz not null,
  next_time timestamptz not null
);
create index report_schedule_due on report_schedule (next_time);
create table report_recipient (
  schedule_id uuid not null references report_schedule (schedule_id) on delete cascade,
  user_id text not null references "user" (id) on delete cascade,
  region_id text not null,
  token uuid not null unique default gen_random_uuid(),
  unsubscribed_time timestamptz,
  primary key (schedule_id, user_id)
);
create table report_run (
  run_id uuid primary key default gen_random_uuid(),
  schedule_id uuid not null references report_schedule (schedule_id) on delete cascade,
  region_id text not null,
  start_date text not null,
  end_date text not null,
  is_manual boolean not null,
  created_time timestamptz not null
);
create unique index report_run_of_period on report_run (schedule_id, start_date, end_date) where not is_manual;
`,
}
