/** Second factors, sign-in providers, roles, access to regions, invitations, lock-outs, the audit log. */
export const identity = {
  name: '004-identity',
  sql: `
alter table "user" add column "twoFactorEnabled" boolean not null default false;
alter table "user" add column "allRegions" boolean not null default true;
alter table "user" add column "invited" boolean not null default false;
alter table "user" add column "lastSignInTime" timestamptz;
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
create index audit_newest on audit (organization_id, at desc, audit_id desc);`,
}
