/** How long raw input is kept, when a vehicle counts as lost, in which local hours operators must serve. */
export const regionSettings = {
  name: '006-region-settings',
  sql: `
alter table region add column raw_retention_days integer not null default 30;
alter table region add column lost_after_hours integer not null default 48;
alter table region add column operating_from text not null default '06:00';
alter table region add column operating_until text not null default '22:00';`,
}
