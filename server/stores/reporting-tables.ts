import type { ColumnType, Generated } from 'kysely'
import type { Count, Json, Nullable, Time, WithDefault } from './identity-tables.ts'

/** Tables of scheduled reports, exports and saved views. */
export interface ReportingTables {
  report_schedule: {
    schedule_id: Generated<string>
    region_id: string
    report: string
    cadence: string
    day: number
    user_id: string
    created_by: string
    created_time: Time
    next_time: Time
    filters: WithDefault<Json<unknown>>
  }
  report_recipient: {
    schedule_id: string
    user_id: string
    region_id: string
    token: Generated<string>
    unsubscribed_time: Nullable<Date>
  }
  report_run: {
    run_id: Generated<string>
    schedule_id: string
    region_id: string
    start_date: string
    end_date: string
    is_manual: boolean
    created_time: Time
  }
  saved_view: {
    view_id: Generated<string>
    region_id: string
    user_id: string
    name: string
    path: string
    search: string
    is_shared: boolean
    created_by: string
    created_time: Time
  }
  export: {
    export_id: string
    region_id: string
    user_id: string | null
    table_name: Nullable<string>
    format: Nullable<string>
    question: WithDefault<Json<unknown>>
    is_exact: boolean
    month: Nullable<string>
    version: Nullable<number>
    operator: Nullable<string>
    status: string
    rows: WithDefault<Count>
    total_rows: ColumnType<string | null, number | null | undefined, number | null>
    bytes: ColumnType<string | null, number | null | undefined, number | null>
    sha256: Nullable<string>
    problem: Nullable<string>
    attempts: Generated<number>
    created_time: Time
    started_time: Nullable<Date>
    finished_time: Nullable<Date>
    expires_time: Nullable<Date>
    lease_owner: Nullable<string>
    lease_until: Nullable<Date>
  }
}
