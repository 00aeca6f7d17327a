/**
 * saved_view: a page of a region with its filters, of one user or shared within the organization.
 * City organizations without roles get the standard ones, like new organizations.
 */
export const schema = {
  name: '024-saved-views',
  sql: `
create table saved_view (
  view_id uuid primary key default gen_random_uuid(),
  region_id text not null references region (region_id) on delete cascade,
  user_id text not null references "user" (id) on delete cascade,
  name text not null,
  path text not null,
  search text not null,
  is_shared boolean not null,
  created_by text not null,
  created_time timestamptz not null
);
create index saved_view_of on saved_view (region_id, user_id);
insert into role (organization_id, name, permission_keys)
select organization_id, standard.name, standard.keys
from organization
cross join (
  values
    (
      'Administrator',
      'is_admin edit_geography edit_policy publish_to_public_map edit_curb_regulations draft_invoices '
      || 'approve_invoices issue_invoices record_payments approve_curb_prices'
    ),
    ('Planner', 'edit_geography edit_policy'),
    ('Viewer', '')
) as standard (name, keys)
where type = 'city' and not exists (
  select from role where role.organization_id = organization.organization_id
);
`,
}
