/** Whether the routes of a region can be seen without a sign-in; local days whose segment volumes are to be computed anew, `noted` as in cube_hour_dirty. */
export const routes = {
  name: '012-routes',
  sql: `
alter table region add column has_public_routes boolean not null default false;
create table route_day_dirty (
  region_id text not null references region (region_id) on delete cascade,
  local_date text not null,
  noted bigint not null,
  primary key (region_id, local_date)
);`,
}
