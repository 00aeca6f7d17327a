import type { ColumnType, Generated } from 'kysely'

type Json<T> = ColumnType<T, string, string>
type Time = ColumnType<Date, Date | string, Date | string>
type Maybe<T> = ColumnType<T | null, T | string | null | undefined, T | string | null>
type Made<T> = T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>

export interface StateTables {
  organization: { organization_id: string; name: string; type: string; settings: Made<Json<Record<string, unknown>>>; created_time: Made<Time> }
  user: {
    id: string; name: string; email: string; emailVerified: boolean; image: string | null; createdAt: Made<Time>; updatedAt: Made<Time>
    organizationId: string; acceptedTermsOfService: Generated<boolean>; permissionKeys: Generated<string>; disabled: Generated<boolean>
    twoFactorEnabled: Generated<boolean>; allRegions: Generated<boolean>; invited: Generated<boolean>; lastSignInTime: Maybe<Date>
  }
  account: { id: string; accountId: string; providerId: string; userId: string; password: string | null; createdAt: Made<Time>; updatedAt: Time }
  twoFactor: { id: Generated<string>; secret: string; backupCodes: string; userId: string; verified: Generated<boolean>; failedVerificationCount: Generated<number>; lockedUntil: Maybe<Date>; lastTotpStep: Generated<number | null> }
  session: { id: string; token: string; userId: string; createdAt: Time; updatedAt: Time; expiresAt: Time; ipAddress: string | null; userAgent: string | null }
  enrolled_factor: { factor_id: Generated<string>; user_id: string; kind: 'totp' | 'phone'; phone_number: string | null; enrolled_time: Made<Time> }
  pending_factor: { user_id: string; kind: 'totp' | 'phone'; sealed: string; attempts: Generated<number>; expires_time: Time }
  taken_turn: { key: string; count: number; since: Time }
  sign_in_failure: { email_hash: string; count: number; last_time: Time; locked_until: Maybe<Date> }
  sign_in_provider: {
    provider_id: string; organization_id: string; name: string; issuer: string; client_id: string; sealed_secret: string | null; email_domains: Json<string[]>
    creates_users: Generated<boolean>; enabled: Generated<boolean>; created_time: Made<Time>
  }
  sign_in_attempt: { attempt_id: string; provider_id: string; sealed: string; expires_time: Time }
  role: { role_id: Generated<string>; organization_id: string; name: string; permission_keys: Generated<string> }
  user_role: { user_id: string; role_id: string; organization_id: string }
  user_region: { user_id: string; region_id: string; organization_id: string }
  invitation: { onboarding_uuid: string; user_id: string; organization_id: string; expires_time: Time }
  audit: {
    audit_id: Generated<string>; organization_id: string; at: Time; user_id: string | null; user_email: string | null; admin_id: string | null; admin_email: string | null
    action: string; method: string; path: string; status: number; address: string | null
  }
  secret: { name: string; value: string }
  region: {
    region_id: string; organization_id: string; text: string; lat: number; lon: number; map_zoom: number; currency_code: string; timezone: string
    is_metric: boolean; logo_filename: string | null; has_mds_data: Generated<boolean>; has_monthly_zip: Generated<boolean>
    allowed_maps: ColumnType<string[] | null, string | null, string | null>; privacy_minimum: Generated<number>; facts_version: ColumnType<string, number | undefined, number | string>; created_time: Made<Time>
  }
  operator: { organization_id: string; slug: string; name: string; color_hex: string }
  layer: {
    layer_id: string; region_id: string; name: string; slug: string; level: string | null; editable: Generated<boolean>; buffers: Made<Json<number[]>>
    intersect_route: Generated<boolean>; hourly_processing: Made<Json<string[]>>; parking_duration_filters: Made<Json<number[]>>; has_overlaps: Generated<boolean>
    geometry_type: Generated<string>; bbox: ColumnType<[number, number, number, number] | null, string | null, string | null>; shape_count: Generated<number>
    content_hash: string; created_time: Made<Time>; modified_time: Made<Time>
  }
  shape: {
    shape_uuid: string; region_id: string; layer_id: string; position: number; shape_id: string; name: string; description: string | null
    geometry: Json<unknown>; properties: Made<Json<Record<string, unknown>>>; side_of_street: string | null; created_time: Made<Time>; modified_time: Made<Time>
  }
  shape_geometry: { shape_uuid: string; region_id: string; geometry: Json<unknown>; valid_from: Time; valid_until: ColumnType<Date | null, Date | string | null, Date | string | null>; changed_by: string | null }
  import: {
    import_id: string; region_id: string; file_name: string; file_path: string; bytes: ColumnType<string, number, number>; content_hash: string; header_hash: string
    status: string; layout: string | null; mapping: ColumnType<unknown, string | null, string | null>
    rows_read: Count; rows_accepted: Count; rows_flagged: Count; rows_set_aside: Count; flags: Made<Json<Record<string, number>>>; reasons: Made<Json<Record<string, number>>>
    chunks: Generated<number>; progress: Generated<number>; problem: string | null; notes: Made<Json<string[]>>; created_by: string | null; created_time: Made<Time>
    started_time: ColumnType<Date | null, Date | undefined, Date | null>; finished_time: ColumnType<Date | null, Date | undefined, Date | null>; run_rows: Count
    lease_owner: ColumnType<string | null, string | null | undefined, string | null>; lease_until: ColumnType<Date | null, Date | null | undefined, Date | null>
  }
  import_mapping: { organization_id: string; header_hash: string; mapping: Json<unknown>; changed_time: Made<Time> }
}

type Count = ColumnType<string, number | undefined, number>

/** By which column a Scope limits each table; `system` ones are reached by the system's Scope only. */
export const scopeColumns: Record<keyof StateTables, 'organization_id' | 'organizationId' | 'region_id' | 'system'> = {
  organization: 'organization_id',
  user: 'organizationId',
  account: 'system',
  twoFactor: 'system',
  session: 'system',
  enrolled_factor: 'system',
  pending_factor: 'system',
  taken_turn: 'system',
  sign_in_failure: 'system',
  sign_in_provider: 'organization_id',
  sign_in_attempt: 'system',
  role: 'organization_id',
  user_role: 'organization_id',
  user_region: 'organization_id',
  invitation: 'organization_id',
  audit: 'organization_id',
  secret: 'system',
  region: 'region_id',
  operator: 'organization_id',
  layer: 'region_id',
  shape: 'region_id',
  shape_geometry: 'region_id',
  import: 'region_id',
  import_mapping: 'organization_id',
}
