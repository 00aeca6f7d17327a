import type { ColumnType, Generated } from 'kysely'

type Json<T> = ColumnType<T, string, string>
type Time = ColumnType<Date, Date | string, Date | string>
type Made<T> = T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>

export interface StateTables {
  organization: { organization_id: string; name: string; type: string; settings: Made<Json<Record<string, unknown>>>; created_time: Made<Time> }
  user: {
    id: string; name: string; email: string; emailVerified: boolean; image: string | null; createdAt: Made<Time>; updatedAt: Made<Time>
    organizationId: string; acceptedTermsOfService: Generated<boolean>; permissionKeys: Generated<string>; disabled: Generated<boolean>
  }
  account: { id: string; accountId: string; providerId: string; userId: string; password: string | null; createdAt: Made<Time>; updatedAt: Time }
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
  secret: 'system',
  region: 'region_id',
  operator: 'organization_id',
  layer: 'region_id',
  shape: 'region_id',
  shape_geometry: 'region_id',
  import: 'region_id',
  import_mapping: 'organization_id',
}
