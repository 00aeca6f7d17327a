import type { ColumnType, Generated } from 'kysely'
import type { ApiScope } from '#contract/api-scopes.ts'

// Types of columns: when selected, inserted, updated.
/** A jsonb column: parsed when read, written as JSON text. */
export type Json<Value> = ColumnType<Value, string, string>
export type Time = ColumnType<Date, Date | string, Date | string>
export type Nullable<Value> = ColumnType<
  Value | null,
  Value | string | null | undefined,
  Value | string | null
>
export type WithDefault<Column> =
  Column extends ColumnType<infer Selected, infer Inserted, infer Updated>
    ? ColumnType<Selected, Inserted | undefined, Updated>
    : ColumnType<Column, Column | undefined, Column>
export type Count = ColumnType<string, number | undefined, number>

/** Tables of organizations, users, sign-ins, permissions and the audit log. */
export interface IdentityTables {
  organization: {
    organization_id: string
    name: string
    type: string
    settings: WithDefault<Json<Record<string, unknown>>>
    created_time: WithDefault<Time>
  }
  user: {
    id: string
    name: string
    email: string
    emailVerified: boolean
    image: string | null
    createdAt: WithDefault<Time>
    updatedAt: WithDefault<Time>
    organizationId: string
    acceptedTermsOfService: Generated<boolean>
    /** Language of scheduled reports and other mails. */
    language: Generated<string>
    permissionKeys: Generated<string>
    disabled: Generated<boolean>
    twoFactorEnabled: Generated<boolean>
    allRegions: Generated<boolean>
    invited: Generated<boolean>
    lastSignInTime: Nullable<Date>
    operators: ColumnType<string[] | null, string | null | undefined, string | null>
  }
  account: {
    id: string
    accountId: string
    providerId: string
    userId: string
    password: string | null
    createdAt: WithDefault<Time>
    updatedAt: Time
  }
  twoFactor: {
    id: Generated<string>
    secret: string
    backupCodes: string
    userId: string
    verified: Generated<boolean>
    failedVerificationCount: Generated<number>
    lockedUntil: Nullable<Date>
    lastTotpStep: Generated<number | null>
  }
  session: {
    id: string
    token: string
    userId: string
    createdAt: Time
    updatedAt: Time
    expiresAt: Time
    ipAddress: string | null
    userAgent: string | null
  }
  enrolled_factor: {
    factor_id: Generated<string>
    user_id: string
    kind: 'totp' | 'phone'
    phone_number: string | null
    enrolled_time: WithDefault<Time>
  }
  pending_factor: {
    user_id: string
    kind: 'totp' | 'phone'
    sealed: string
    attempts: Generated<number>
    expires_time: Time
  }
  taken_turn: { key: string; count: number; since: Time }
  sign_in_failure: { email_hash: string; count: number; last_time: Time; locked_until: Nullable<Date> }
  sign_in_provider: {
    provider_id: string
    organization_id: string
    name: string
    issuer: string
    client_id: string
    sealed_secret: string | null
    email_domains: Json<string[]>
    creates_users: Generated<boolean>
    enabled: Generated<boolean>
    created_time: WithDefault<Time>
  }
  sign_in_attempt: { attempt_id: string; provider_id: string; sealed: string; expires_time: Time }
  role: {
    role_id: Generated<string>
    organization_id: string
    name: string
    permission_keys: Generated<string>
  }
  user_role: { user_id: string; role_id: string; organization_id: string }
  user_region: { user_id: string; region_id: string; organization_id: string }
  invitation: { onboarding_uuid: string; user_id: string; organization_id: string; expires_time: Time }
  audit: {
    audit_id: Generated<string>
    organization_id: string
    at: Time
    user_id: string | null
    user_email: string | null
    admin_id: string | null
    admin_email: string | null
    action: string
    method: string
    path: string
    status: number
    address: string | null
    api_key_id: Nullable<string>
  }
  api_key: {
    key_id: string
    organization_id: string
    consumer_id: Generated<string>
    name: string
    owner_id: string | null
    has_owner: boolean
    created_by: string | null
    prefix: WithDefault<string>
    secret_hash: string
    hint: string
    scopes: Json<ApiScope[]>
    region_ids: Json<string[] | null>
    operator: Nullable<string>
    feed_id: Nullable<string>
    cidrs: Json<string[]>
    rate_class: string
    created_time: Time
    expires_time: Nullable<Date>
    revoked_time: Nullable<Date>
    revoked_by: Nullable<string>
    alerted_time: Nullable<Date>
  }
  rate_bucket: { key: string; used: number; at_ms: string }
  api_key_day: { key_id: string; day: string; calls: Count; refused: Count; last_used_time: Nullable<Date> }
  secret: { name: string; value: string }
}
