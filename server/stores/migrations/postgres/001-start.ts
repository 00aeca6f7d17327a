/** Identity (the tables of better-auth 1.7, with our columns), organizations, regions, operators. */
export const start = {
  name: '001-start',
  sql: `
create table organization (
  organization_id uuid primary key,
  name text not null,
  type text not null,
  settings jsonb not null default '{}',
  created_time timestamptz not null default now()
);
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
  "disabled" boolean not null default false
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
create table secret (name text primary key, value text not null);
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
  facts_version bigint not null default 0,
  created_time timestamptz not null default now()
);
create index region_organization on region (organization_id);
create table operator (
  organization_id uuid not null references organization (organization_id),
  slug text not null,
  name text not null,
  color_hex text not null,
  primary key (organization_id, slug)
);`,
}
