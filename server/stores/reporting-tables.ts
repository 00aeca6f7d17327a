import type { ColumnType, Generated } from 'kysely'
import type { Count, Json, Maybe, Time, WithDefault } from './identity-tables.ts'

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
    unsubscribed_time: Maybe<Date>
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
    table_name: Maybe<string>
    format: Maybe<string>
    question: WithDefault<Json<unknown>>
    is_exact: boolean
    month: Maybe<string>
    version: Maybe<number>
    operator: Maybe<string>
    status: string
    rows: WithDefault<Count>
    total_rows: ColumnType<string | null, number | null | undefined, number | null>
    bytes: ColumnType<string | null, number | null | undefined, number | null>
    sha256: Maybe<string>
    problem: Maybe<string>
    attempts: Generated<number>
    created_time: Time
    started_time: Maybe<Date>
    finished_time: Maybe<Date>
    expires_time: Maybe<Date>
    lease_owner: Maybe<string>
    lease_until: Maybe<Date>
  }
}
