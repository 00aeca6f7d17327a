import { dataAndRules } from './001-schema-data-and-rules.ts'

/** The state store: organizations, users, regions and their geography, followed by `dataAndRules`. */
export const schema = {
  name: '001-schema-of-derived-spans',
  sql: `
-- Organizations and secrets.
create table organization (
  organization_id uuid primary key,
  name text not null,
  type text not null,
  settings jsonb not null default '{}',
  created_time timestamptz not null default now()
);
create table secret (name text primary key, value text not null);

-- Regions.
create table region (
  region_id text primary key,
  organization_id uuid not null references organization (organization_id),
  text text not null,
  lat double precision not null,
  lon double precision not null,
  map_zoom double precision not null,
  currency_code text not null,
  timezone text not null,
  is_metric boolean not null,
  logo_filename text,
  has_mds_data boolean not null default false,
  has_monthly_zip boolean not null default false,
  allowed_maps jsonb,
  privacy_minimum integer not null default 10,
  raw_retention_days integer not null default 30,
  lost_after_hours integer not null default 48,
  operating_from text not null default '06:00',
  operating_until text not null default '22:00',
  -- Whether a point closer to a border than its accuracy counts as a violation.
  counts_uncertain boolean not null default false,
  -- Whether routes are shown without a sign-in.
  has_public_routes boolean not null default false,
  facts_version bigint not null default 0,
  created_time timestamptz not null default now()
);
create index region_organization on region (organization_id);

-- Identity: the tables of better-auth 1.7 with columns of our own, second factors, sign-in providers.
create table "user" (
  "id" text primary key default gen_random_uuid()::text,
  "name" text not null,
  "email" text not null unique,
  "emailVerified" boolean not null,
  "image" text,
  "createdAt" timestamptz not null default now(),
  "updatedAt" timestamptz not null default now(),
  "organizationId" uuid not null references organization (organization_id),
  "acceptedTermsOfService" boolean not null default false,
  "permissionKeys" text not null default '',
  "disabled" boolean not null default false,
  "invited" boolean not null default false,
  "twoFactorEnabled" boolean not null default false,
  "lastSignInTime" timestamptz,
  "allRegions" boolean not null default true,
  -- Slugs of the operators that the user can see; null: all. Not a foreign key: a user of an operator that is
  -- removed sees nothing instead of everything.
  "operators" jsonb
);
create table "session" (
  "id" text primary key default gen_random_uuid()::text,
  "expiresAt" timestamptz not null,
  "token" text not null unique,
  "createdAt" timestamptz not null default now(),
  "updatedAt" timestamptz not null,
  "ipAddress" text,
  "userAgent" text,
  "userId" text not null references "user" ("id") on delete cascade
);
create index session_by_user on "session" ("userId");
create table "account" (
  "id" text primary key default gen_random_uuid()::text,
  "accountId" text not null,
  "providerId" text not null,
  "userId" text not null references "user" ("id") on delete cascade,
  "accessToken" text,
  "refreshToken" text,
  "idToken" text,
  "accessTokenExpiresAt" timestamptz,
  "refreshTokenExpiresAt" timestamptz,
  "scope" text,
  "password" text,
  "createdAt" timestamptz not null default now(),
  "updatedAt" timestamptz not null
);
create index account_by_user on "account" ("userId");
create table "verification" (
  "id" text primary key default gen_random_uuid()::text,
  "identifier" text not null,
  "value" text not null,
  "expiresAt" timestamptz not null,
  "createdAt" timestamptz not null default now(),
  "updatedAt" timestamptz not null default now()
);
create index verification_identifier on "verification" ("identifier");
create table "rateLimit" (
  "id" text primary key default gen_random_uuid()::text,
  "key" text not null unique,
  "count" integer not null,
  "lastRequest" bigint not null
);
create table "twoFactor" (
  "id" text primary key default gen_random_uuid()::text,
  "secret" text not null,
  "backupCodes" text not null,
  "userId" text not null references "user" ("id") on delete cascade,
  "verified" boolean not null default true,
  "failedVerificationCount" integer not null default 0,
  "lockedUntil" timestamptz,
  "lastTotpStep" integer
);
create index two_factor_user on "twoFactor" ("userId");
create table enrolled_factor (
  factor_id uuid primary key default gen_random_uuid(),
  user_id text not null references "user" ("id") on delete cascade,
  kind text not null,
  phone_number text,
  enrolled_time timestamptz not null default now(),
  unique (user_id, kind)
);
create table pending_factor (
  user_id text not null references "user" ("id") on delete cascade,
  kind text not null,
  sealed text not null,
  attempts integer not null default 0,
  expires_time timestamptz not null,
  primary key (user_id, kind)
);
create table taken_turn (
  key text primary key,
  count integer not null,
  since timestamptz not null
);
create table sign_in_failure (
  email_hash text primary key,
  count integer not null,
  last_time timestamptz not null,
  locked_until timestamptz
);
create index sign_in_failure_age on sign_in_failure (last_time);
create table sign_in_provider (
  provider_id text primary key,
  organization_id uuid not null references organization (organization_id) on delete cascade,
  name text not null,
  issuer text not null unique,
  client_id text not null,
  sealed_secret text,
  email_domains jsonb not null,
  creates_users boolean not null default false,
  enabled boolean not null default true,
  created_time timestamptz not null default now()
);
create table sign_in_attempt (
  attempt_id text primary key,
  provider_id text not null references sign_in_provider (provider_id) on delete cascade,
  sealed text not null,
  expires_time timestamptz not null
);
create table audit (
  audit_id bigint generated always as identity primary key,
  organization_id uuid not null,
  at timestamptz not null,
  user_id text,
  user_email text,
  admin_id text,
  admin_email text,
  action text not null,
  method text not null,
  path text not null,
  status integer not null,
  address text
);
create index audit_newest on audit (organization_id, at desc, audit_id desc);

-- Users: roles, access to regions, invitations.
create table role (
  role_id uuid primary key default gen_random_uuid(),
  organization_id uuid not null references organization (organization_id) on delete cascade,
  name text not null,
  permission_keys text not null default '',
  unique (organization_id, name)
);
create table user_role (
  user_id text not null references "user" ("id") on delete cascade,
  role_id uuid not null references role (role_id) on delete cascade,
  organization_id uuid not null references organization (organization_id) on delete cascade,
  primary key (user_id, role_id)
);
create table user_region (
  user_id text not null references "user" ("id") on delete cascade,
  region_id text not null references region (region_id) on delete cascade,
  organization_id uuid not null references organization (organization_id) on delete cascade,
  primary key (user_id, region_id)
);
create table invitation (
  onboarding_uuid uuid primary key,
  user_id text not null unique references "user" ("id") on delete cascade,
  organization_id uuid not null references organization (organization_id) on delete cascade,
  expires_time timestamptz not null
);

-- Operators.
create table operator (
  organization_id uuid not null references organization (organization_id),
  slug text not null,
  name text not null,
  color_hex text not null,
  provider_id uuid,
  primary key (organization_id, slug)
);

-- Geography.
-- shape_version has every version of each shape, also of deleted ones: the geometry where it changed, name,
-- description, author and time; "kept" has the other columns of a deleted shape.
create table layer (
  layer_id uuid primary key,
  region_id text not null references region (region_id) on delete cascade,
  name text not null,
  slug text not null,
  level text,
  -- The credit shown where the layer is drawn, such as "© OpenStreetMap contributors".
  attribution text,
  editable boolean not null default true,
  buffers jsonb not null default '[]',
  intersect_route boolean not null default false,
  hourly_processing jsonb not null default '[]',
  parking_duration_filters jsonb not null default '[1440, 2880, 4320, 14400]',
  vehicle_counts boolean not null default false,
  has_overlaps boolean not null default false,
  geometry_type text not null default 'none',
  bbox jsonb,
  shape_count integer not null default 0,
  content_hash text not null,
  created_time timestamptz not null default now(),
  modified_time timestamptz not null default now(),
  modified_by text,
  unique (region_id, slug)
);
create table shape (
  shape_uuid uuid primary key,
  region_id text not null references region (region_id) on delete cascade,
  layer_id uuid not null references layer (layer_id) on delete cascade,
  position integer not null,
  shape_id text not null,
  name text not null,
  description text,
  geometry jsonb not null,
  properties jsonb not null default '{}',
  side_of_street text,
  -- These three let a layer be summarized without reading its geometries.
  bbox jsonb,
  kind text generated always as (geometry ->> 'type') stored,
  row_hash text generated always as (md5(name || ' ' || coalesce(properties ->> 'class', '') || ' ' || geometry::text)) stored,
  created_time timestamptz not null default now(),
  modified_time timestamptz not null default now(),
  modified_by text
);
create index shape_layer on shape (layer_id, name);
create index shape_position on shape (layer_id, position, shape_uuid);
create table shape_version (
  shape_uuid uuid not null,
  version integer not null,
  region_id text not null references region (region_id) on delete cascade,
  layer_id uuid not null references layer (layer_id) on delete cascade,
  act text not null,
  changes jsonb not null,
  name text not null,
  description text,
  geometry jsonb,
  kept jsonb,
  valid_from timestamptz not null,
  changed_by text,
  primary key (shape_uuid, version)
);
create index shape_version_newest on shape_version (layer_id, valid_from desc, shape_uuid, version desc);

${dataAndRules}`,
}
