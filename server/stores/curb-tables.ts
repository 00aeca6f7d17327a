import type { ColumnType, Generated } from 'kysely'
import type { Json, Maybe, Time, WithDefault } from './identity-tables.ts'

/** Imports that created and ended a row, and its end before, so that an import can be undone. */
type Created = { import_id: Maybe<string>; ended_by: Maybe<string>; previous_end: Maybe<Date> }

/** Tables of the Curb Manager: inventories, zones, other places, policies, payments, occupancy, prices. */
export interface CurbTables {
  curb_settings: {
    region_id: string
    settings: WithDefault<Json<unknown>>
    version: Generated<number>
    layer_id: Maybe<string>
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
    problem: Maybe<string>
    counts: WithDefault<Json<unknown>>
    created_by: string
    created_time: Time
    published_by: Maybe<string>
    published_time: Maybe<Date>
    undone_by: Maybe<string>
    undone_time: Maybe<Date>
    effective_time: Maybe<Date>
    files: WithDefault<Json<unknown>>
    lease_until: Maybe<Date>
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
    confidence: Maybe<number>
  }
  curb_zone: {
    region_id: string
    curb_zone_id: string
    shape_uuid: string
    inventory_id: string
    source_id: string
    street_name: string
    street_side: Maybe<string>
    geometry: Json<unknown>
    west: number
    south: number
    east: number
    north: number
    length_cm: number
    record: Json<unknown>
    start_time: Time
    end_time: Maybe<Date>
    published_time: Time
    updated_time: Time
  } & Created
  curb_capacity: {
    region_id: string
    curb_zone_id: string
    start_time: Time
    capacity: number
    basis: string
    vehicle_length_cm: Maybe<number>
    import_id: Maybe<string>
  }
  curb_place: {
    region_id: string
    kind: string
    place_id: string
    curb_zone_id: Maybe<string>
    inventory_id: string
    geometry: Json<unknown>
    record: Json<unknown>
    start_time: Time
    end_time: Maybe<Date>
    published_time: Time
    updated_time: Time
  } & Created
  curb_policy: {
    region_id: string
    curb_policy_id: string
    signature: string
    status: string
    name: string
    policy: Json<unknown>
    zone_ids: ColumnType<unknown, string | null | undefined, string | null>
    replaces: Maybe<string>
    import_id: Maybe<string>
    created_by: string
    created_time: Time
    modified_time: Time
    published_by: Maybe<string>
    published_time: Maybe<Date>
    unpublished_time: Maybe<Date>
    regulation_id: Maybe<string>
    modified_by: Maybe<string>
    effective_time: Maybe<Date>
    superseded_time: Maybe<Date>
    deleted_time: Maybe<Date>
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
    effective_time: Maybe<Date>
    act_time: Time
    act_by: Maybe<string>
  }
  curb_zone_policy: {
    region_id: string
    curb_zone_id: string
    curb_policy_id: string
    start_time: Time
    end_time: Maybe<Date>
  } & Created
  /** Manual drawings and edits, one row per save. */
  curb_change_set: {
    change_set_id: string
    region_id: string
    change_time: Time
    effective_time: Maybe<Date>
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
    lon: Maybe<number>
    lat: Maybe<number>
    spaces: Maybe<number>
    curb_zone_id: Maybe<string>
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
    file_path: Maybe<string>
    status: string
    problem: Maybe<string>
    mapping: ColumnType<unknown, string | null | undefined, string | null>
    counts: WithDefault<Json<unknown>>
    places: WithDefault<Json<unknown>>
    first_day: Maybe<string>
    last_day: Maybe<string>
    created_by: string
    created_time: Time
    published_time: Maybe<Date>
    undone_time: Maybe<Date>
    lease_until: Maybe<Date>
  }
  curb_count_import: {
    import_id: string
    region_id: string
    file_name: string
    file_hash: string
    status: string
    problem: Maybe<string>
    layout: Maybe<string>
    options: WithDefault<Json<unknown>>
    report: WithDefault<Json<unknown>>
    files: WithDefault<Json<unknown>>
    lease_until: Maybe<Date>
    created_by: string
    created_time: Time
    published_by: Maybe<string>
    published_time: Maybe<Date>
    undone_by: Maybe<string>
    undone_time: Maybe<Date>
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
    spaces: Maybe<number>
    match: string
    zone_ids: Json<unknown>
    distance_m: Maybe<number>
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
    note: Maybe<string>
    effective_time: Maybe<Date>
    act_by: Maybe<string>
    act_time: Time
  }
  curb_occupancy_region: { region_id: string; basis: string; first_paid: Json<unknown> }
  curb_session_region: { region_id: string; basis: string; ended_day: string }
}
