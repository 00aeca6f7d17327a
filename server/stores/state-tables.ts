import type { ColumnType, Generated } from 'kysely'
import type { Count, IdentityTables, Json, WithDefault, Nullable, Time } from './identity-tables.ts'
import type { CurbTables } from './curb-tables.ts'
import type { InvoiceTables } from './invoice-tables.ts'
import type { PolicyTables } from './policy-tables.ts'
import type { ReportingTables } from './reporting-tables.ts'

export interface StateTables
  extends IdentityTables, InvoiceTables, CurbTables, PolicyTables, ReportingTables {
  region: {
    region_id: string
    organization_id: string
    text: string
    lat: number
    lon: number
    map_zoom: number
    currency_code: string
    timezone: string
    is_metric: boolean
    logo_filename: string | null
    has_mds_data: Generated<boolean>
    has_monthly_zip: Generated<boolean>
    allowed_maps: ColumnType<string[] | null, string | null, string | null>
    privacy_minimum: Generated<number>
    raw_retention_days: Generated<number>
    lost_after_hours: Generated<number>
    counts_uncertain: Generated<boolean>
    operating_from: Generated<string>
    operating_until: Generated<string>
    has_public_routes: Generated<boolean>
    public_routes_from: Nullable<string>
    public_routes_until: Nullable<string>
    created_time: WithDefault<Time>
  }
  operator: {
    organization_id: string
    slug: string
    name: string
    color_hex: string
    provider_id: Nullable<string>
  }
  feed: {
    feed_id: Generated<string>
    region_id: string
    operator: string | null
    kind: string
    version: string
    name: string
    url: string | null
    auth_kind: Generated<string>
    sealed_secrets: Nullable<string>
    settings: WithDefault<Json<Record<string, unknown>>>
    interval_seconds: number
    promised_minutes: number
    enabled: Generated<boolean>
    created_time: WithDefault<Time>
    last_attempt_time: Nullable<Date>
    last_success_time: Nullable<Date>
    last_record_time: Nullable<Date>
    problem: Nullable<string>
    problem_since: Nullable<Date>
    lease_owner: Nullable<string>
    lease_until: Nullable<Date>
  }
  pull_window: {
    feed_id: string
    region_id: string
    stream: string
    window_start: Time
    status: string
    tries: Generated<number>
    next_time: Time
    records: Generated<number>
    problem: Nullable<string>
    done_time: Nullable<Date>
  }
  layer: {
    layer_id: string
    region_id: string
    name: string
    slug: string
    level: string | null
    editable: Generated<boolean>
    buffers: WithDefault<Json<number[]>>
    intersect_route: Generated<boolean>
    hourly_processing: WithDefault<Json<string[]>>
    parking_duration_filters: WithDefault<Json<number[]>>
    has_overlaps: Generated<boolean>
    geometry_type: Generated<string>
    bbox: ColumnType<[number, number, number, number] | null, string | null, string | null>
    shape_count: Generated<number>
    content_hash: string
    created_time: WithDefault<Time>
    modified_time: WithDefault<Time>
    modified_by: Nullable<string>
    vehicle_counts: Generated<boolean>
    attribution: Nullable<string>
  }
  shape: {
    shape_uuid: string
    region_id: string
    layer_id: string
    position: number
    shape_id: string
    name: string
    description: string | null
    geometry: Json<unknown>
    properties: WithDefault<Json<Record<string, unknown>>>
    side_of_street: string | null
    created_time: WithDefault<Time>
    modified_time: WithDefault<Time>
    modified_by: Nullable<string>
    bbox: ColumnType<[number, number, number, number] | null, string | null | undefined, string | null>
    kind: ColumnType<string | null, never, never>
    row_hash: ColumnType<string, never, never>
  }
  shape_version: {
    shape_uuid: string
    version: number
    region_id: string
    layer_id: string
    act: string
    changes: Json<string[]>
    name: string
    description: Nullable<string>
    geometry: ColumnType<unknown, string | null, string | null>
    kept: ColumnType<unknown, string | null | undefined, string | null>
    valid_from: Time
    changed_by: Nullable<string>
  }
  import: {
    import_id: string
    region_id: string
    file_name: string
    file_path: string
    bytes: ColumnType<string, number, number>
    content_hash: string
    header_hash: string
    status: string
    layout: string | null
    mapping: ColumnType<unknown, string | null, string | null>
    rows_read: Count
    rows_accepted: Count
    rows_flagged: Count
    rows_set_aside: Count
    flags: WithDefault<Json<Record<string, number>>>
    reasons: WithDefault<Json<Record<string, number>>>
    chunks: Generated<number>
    progress: Generated<number>
    problem: string | null
    notes: WithDefault<Json<string[]>>
    created_by: string | null
    created_time: WithDefault<Time>
    started_time: ColumnType<Date | null, Date | undefined, Date | null>
    finished_time: ColumnType<Date | null, Date | undefined, Date | null>
    run_rows: Count
    lease_owner: ColumnType<string | null, string | null | undefined, string | null>
    lease_until: ColumnType<Date | null, Date | null | undefined, Date | null>
    kind: Generated<string>
    asks: WithDefault<Json<string[]>>
    given: WithDefault<Json<Record<string, unknown>>>
    attempts: Generated<number>
    survey: ColumnType<unknown, string | null | undefined, string | null>
  }
  issue: {
    region_id: string
    source: string
    issue_id: string
    service_code: string
    service_name: string
    description: Generated<string>
    status: string
    source_status: string
    requested_time: Time
    updated_time: Nullable<Date>
    reported_closed_time: Nullable<Date>
    closed_time: Nullable<Date>
    resolution_hours: number | null
    address: string | null
    lat: number | null
    lon: number | null
    districts: WithDefault<Json<Record<string, string>>>
    history: WithDefault<Json<{ at: string; status: string; source_status: string }[]>>
    imports: WithDefault<Json<string[]>>
    first_seen: Time
    version_time: Time
    observed_time: Time
    content_hash: string
  }
  weather_day: {
    region_id: string
    day: string
    source: string
    kind: string
    place: Generated<string>
    precipitation_mm: number | null
    snowfall_mm: number | null
    snow_depth_mm: number | null
    temperature_max_c: number | null
    temperature_min_c: number | null
    temperature_mean_c: number | null
    wind_max_kmh: number | null
    imports: WithDefault<Json<string[]>>
    observed_time: Time
  }
  gbfs_body: {
    region_id: string
    feed_id: string
    operator: string
    endpoint: string
    body: string
    content_hash: string
    last_updated: Nullable<Date>
    received_time: Time
  }
  import_mapping: {
    organization_id: string
    header_hash: string
    mapping: Json<unknown>
    changed_time: WithDefault<Time>
  }
  health_day: {
    region_id: string
    kind: string
    day: string
    body: Json<unknown>
    made_time: Time
    facts: ColumnType<string, string, string>
  }
  incident: {
    incident_id: Generated<string>
    region_id: string
    rule: string
    operator: string
    feed_id: string | null
    subject: string
    opened_time: Time
    closed_time: Nullable<Date>
    value: number | null
    worst: number | null
    notified: number | null
    acknowledged_by: Nullable<string>
    acknowledged_time: Nullable<Date>
  }
  incident_step: {
    step_id: Generated<string>
    incident_id: string
    region_id: string
    at: Time
    step: string
    value: number | null
    by_email: Nullable<string>
    text: Nullable<string>
    number: Generated<string>
  }
  job_day: {
    job: string
    day: string
    runs: number
    failures: number
    worked_ms: ColumnType<string, number, number>
    last_started: Time
    last_ms: number
    last_problem: string | null
    last_problem_time: Date | null
  }
  region_facts: { region_id: string; facts_version: ColumnType<string, number | string, number | string> }
  derived_span: {
    product: string
    region_id: string
    part: Generated<string>
    span: string
    wanted: ColumnType<string, string, string>
    done: ColumnType<string, string, string>
    dirty_since: Time
  }
  derived_seal: { product: string; region_id: string; before_span: string }
  retention_days: { region_id: string; category: string; days: number }
  retention_limit: {
    region_id: string
    category: string
    before_day: string
    sealed_time: Time
    waits_since: Nullable<Date>
    salt: Nullable<string>
  }
  retention_hold: {
    hold_id: Generated<string>
    region_id: string
    reason: string
    set_by: string
    set_time: Time
    released_by: Nullable<string>
    released_time: Nullable<Date>
  }
  retention_run: {
    run_id: Generated<string>
    region_id: string
    started_time: Time
    ended_time: Time
    started_by: string | null
    outcome: string
    steps: Json<unknown[]>
  }
  installation: { only_row: boolean; key_check: string }
  deferred_push: { feed_id: string; region_id: string; from_ms: string; until_ms: string }
  cube_region: { region_id: string; ended_until: Time; swept_time: Nullable<Date> }
  report_region: { region_id: string; basis: string; ended_day: string }
  fee_policy: { policy_id: string; region_id: string; basis: string; marked_day: string }
  cube_layer: {
    layer_id: string
    region_id: string
    content_hash: string
    basis: string
    keys: Json<string[]>
    missing: Json<string[]>
    fill_from: Nullable<Date>
    fill_until: Nullable<Date>
    done_hours: Generated<number>
    total_hours: Generated<number>
    status: string
    problem: Nullable<string>
    changed_time: Time
  }
}

/** The column by which a Scope limits each table; `system`: only the system's Scope may use it. */
export const scopeColumns: Record<
  keyof StateTables,
  'organization_id' | 'organizationId' | 'region_id' | 'system'
> = {
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
  feed: 'region_id',
  pull_window: 'region_id',
  rate_bucket: 'system',
  api_key: 'organization_id',
  api_key_day: 'system',
  curb_session_region: 'region_id',
  curb_account: 'region_id',
  curb_location: 'region_id',
  curb_payment_vendor: 'region_id',
  curb_payment_import: 'region_id',
  layer: 'region_id',
  shape: 'region_id',
  shape_version: 'region_id',
  import: 'region_id',
  issue: 'region_id',
  weather_day: 'region_id',
  gbfs_body: 'region_id',
  import_mapping: 'organization_id',
  health_day: 'region_id',
  incident: 'region_id',
  incident_step: 'region_id',
  job_day: 'system',
  region_facts: 'region_id',
  derived_span: 'region_id',
  derived_seal: 'region_id',
  retention_days: 'region_id',
  retention_limit: 'region_id',
  retention_hold: 'region_id',
  retention_run: 'region_id',
  cube_region: 'region_id',
  report_region: 'region_id',
  fee_policy: 'region_id',
  cube_layer: 'region_id',
  policy: 'region_id',
  policy_geography: 'region_id',
  requirements: 'region_id',
  compliance_day: 'region_id',
  alert_sent: 'region_id',
  announced_event: 'region_id',
  subscription: 'organization_id',
  notification: 'region_id',
  billing_settings: 'region_id',
  billing_payer: 'region_id',
  billing_charge: 'region_id',
  billing_quantity: 'region_id',
  invoice: 'region_id',
  invoice_document: 'region_id',
  invoice_series: 'region_id',
  invoice_number: 'region_id',
  invoice_payment: 'region_id',
  invoice_mail: 'region_id',
  invoice_dispute: 'region_id',
  invoice_dispute_message: 'region_id',
  invoice_count: 'region_id',
  report_schedule: 'region_id',
  report_recipient: 'region_id',
  report_run: 'region_id',
  curb_settings: 'region_id',
  curb_inventory: 'region_id',
  curb_import: 'region_id',
  curb_import_row: 'region_id',
  curb_zone: 'region_id',
  curb_capacity: 'region_id',
  curb_place: 'region_id',
  curb_policy: 'region_id',
  curb_zone_policy: 'region_id',
  curb_regulation_act: 'region_id',
  curb_count_import: 'region_id',
  curb_count_finding: 'region_id',
  curb_count_place: 'region_id',
  curb_place_choice: 'region_id',
  curb_calibration: 'region_id',
  curb_occupancy_region: 'region_id',
  curb_pricing_settings: 'region_id',
  curb_price_proposal: 'region_id',
  curb_price_row: 'region_id',
  curb_price_act: 'region_id',
  curb_change_set: 'region_id',
  installation: 'system',
  deferred_push: 'region_id',
  export: 'region_id',
  saved_view: 'region_id',
}
