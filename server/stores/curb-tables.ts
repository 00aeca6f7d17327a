import type { ColumnType, Generated } from 'kysely'
import type { Json, Nullable, Time, WithDefault } from './identity-tables.ts'

/** Imports that created and ended a row, and its end before, so that an import can be undone. */
type ImportTrail = { import_id: Nullable<string>; ended_by: Nullable<string>; previous_end: Nullable<Date> }

/** Tables of the Curb Manager: inventories, zones, other places, policies, payments, occupancy, prices. */
export interface CurbTables {
  curb_settings: {
    region_id: string
    settings: WithDefault<Json<unknown>>
    version: Generated<number>
    layer_id: Nullable<string>
  }
  curb_inventory: {
    inventory_id: string
    region_id: string
    name: string
    kind: string
    settings: WithDefault<Json<unknown>>
    created_time: Time
  }
  curb_import: {
    import_id: string
    region_id: string
    inventory_id: string
    file_name: string
    file_hash: string
    status: string
    problem: Nullable<string>
    counts: WithDefault<Json<unknown>>
    created_by: string
    created_time: Time
    published_by: Nullable<string>
    published_time: Nullable<Date>
    undone_by: Nullable<string>
    undone_time: Nullable<Date>
    effective_time: Nullable<Date>
    files: WithDefault<Json<unknown>>
    lease_until: Nullable<Date>
  }
  curb_import_row: {
    import_id: string
    region_id: string
    row: number
    kind: string
    record_id: string
    outcome: string
    findings: Json<unknown>
    source: Json<unknown>
    staged: ColumnType<unknown, string | null, string | null>
    prior: ColumnType<unknown, string | null | undefined, string | null>
    confidence: Nullable<number>
  }
  curb_zone: {
    region_id: string
    curb_zone_id: string
    shape_uuid: string
    inventory_id: string
    source_id: string
    street_name: string
    street_side: Nullable<string>
    geometry: Json<unknown>
    west: number
    south: number
    east: number
    north: number
    length_cm: number
    record: Json<unknown>
    start_time: Time
    end_time: Nullable<Date>
    published_time: Time
    updated_time: Time
  } & ImportTrail
  curb_capacity: {
    region_id: string
    curb_zone_id: string
    start_time: Time
    capacity: number
    basis: string
    vehicle_length_cm: Nullable<number>
    import_id: Nullable<string>
  }
  curb_place: {
    region_id: string
    kind: string
    place_id: string
    curb_zone_id: Nullable<string>
    inventory_id: string
    geometry: Json<unknown>
    record: Json<unknown>
    start_time: Time
    end_time: Nullable<Date>
    published_time: Time
    updated_time: Time
  } & ImportTrail
  curb_policy: {
    region_id: string
    curb_policy_id: string
    signature: string
    status: string
    name: string
    policy: Json<unknown>
    zone_ids: ColumnType<unknown, string | null | undefined, string | null>
    replaces: Nullable<string>
    import_id: Nullable<string>
    created_by: string
    created_time: Time
    modified_time: Time
    published_by: Nullable<string>
    published_time: Nullable<Date>
    unpublished_time: Nullable<Date>
    regulation_id: Nullable<string>
    modified_by: Nullable<string>
    effective_time: Nullable<Date>
    superseded_time: Nullable<Date>
    deleted_time: Nullable<Date>
  }
  curb_regulation_act: {
    region_id: string
    regulation_id: string
    act_id: string
    revision: number
    act: string
    curb_policy_id: string
    policy: Json<unknown>
    zone_ids: Json<unknown>
    effective_time: Nullable<Date>
    act_time: Time
    act_by: Nullable<string>
  }
  curb_zone_policy: {
    region_id: string
    curb_zone_id: string
    curb_policy_id: string
    start_time: Time
    end_time: Nullable<Date>
  } & ImportTrail
  /** Manual drawings and edits, one row per save. */
  curb_change_set: {
    change_set_id: string
    region_id: string
    change_time: Time
    effective_time: Nullable<Date>
    by_email: string
    note: string
    counts: Json<unknown>
    edits: Json<unknown>
    zone_ids: Json<unknown>
    inventory_ids: Json<unknown>
  }
  /** Payers at the curb other than operators, such as delivery companies. */
  curb_account: {
    region_id: string
    account_id: string
    name: string
    kind: string
    operator_names: Json<string[]>
    vehicles: Json<string[]>
    created_time: Time
  }
  curb_location: {
    region_id: string
    location_id: string
    kind: string
    name: string
    lon: Nullable<number>
    lat: Nullable<number>
    spaces: Nullable<number>
    curb_zone_id: Nullable<string>
    is_linked_by_hand: WithDefault<boolean>
    updated_time: Time
  }
  curb_payment_vendor: { region_id: string; vendor: string; mapping: Json<unknown>; header: Json<unknown> }
  curb_payment_import: {
    import_id: string
    region_id: string
    vendor: string
    file_name: string
    file_hash: string
    file_path: Nullable<string>
    status: string
    problem: Nullable<string>
    mapping: ColumnType<unknown, string | null | undefined, string | null>
    counts: WithDefault<Json<unknown>>
    places: WithDefault<Json<unknown>>
    first_day: Nullable<string>
    last_day: Nullable<string>
    created_by: string
    created_time: Time
    published_time: Nullable<Date>
    undone_time: Nullable<Date>
    lease_until: Nullable<Date>
  }
  curb_count_import: {
    import_id: string
    region_id: string
    file_name: string
    file_hash: string
    status: string
    problem: Nullable<string>
    layout: Nullable<string>
    options: WithDefault<Json<unknown>>
    report: WithDefault<Json<unknown>>
    files: WithDefault<Json<unknown>>
    lease_until: Nullable<Date>
    created_by: string
    created_time: Time
    published_by: Nullable<string>
    published_time: Nullable<Date>
    undone_by: Nullable<string>
    undone_time: Nullable<Date>
  }
  curb_count_finding: {
    import_id: string
    region_id: string
    row: number
    code: string
    is_set_aside: boolean
    message: string
    source: string
  }
  curb_count_place: {
    import_id: string
    region_id: string
    place: string
    label: string
    rows: number
    spaces: Nullable<number>
    match: string
    zone_ids: Json<unknown>
    distance_m: Nullable<number>
  }
  curb_place_choice: {
    region_id: string
    place: string
    zone_ids: Json<unknown>
    chosen_by: string
    chosen_time: Time
  }
  curb_calibration: {
    calibration_id: string
    region_id: string
    name: string
    zone_ids: ColumnType<unknown, string | null, string | null>
    bands: Json<unknown>
    day_types: Json<unknown>
    start_date: string
    end_date: string
    cells: Json<unknown>
    valid_from: string
    valid_until: string
    expired: ColumnType<unknown, string | null | undefined, string | null>
    created_by: string
    created_time: Time
  }
  curb_pricing_settings: { region_id: string; settings: Json<unknown> }
  /** Proposed rates. Proposals and their rows never change: edits and decisions are in curb_price_act. */
  curb_price_proposal: {
    proposal_id: string
    region_id: string
    name: string
    parameters: Json<unknown>
    row_count: number
    created_by: string
    created_time: Time
  }
  curb_price_row: {
    proposal_id: string
    region_id: string
    curb_zone_id: string
    zone: Json<unknown>
    cells: Json<unknown>
  }
  curb_price_act: {
    proposal_id: string
    region_id: string
    number: number
    act: string
    edits: ColumnType<unknown, string | null | undefined, never>
    skipped: ColumnType<unknown, string | null | undefined, never>
    note: Nullable<string>
    effective_time: Nullable<Date>
    act_by: Nullable<string>
    act_time: Time
  }
  curb_occupancy_region: { region_id: string; basis: string; first_paid: Json<unknown> }
  curb_session_region: { region_id: string; basis: string; ended_day: string }
}
