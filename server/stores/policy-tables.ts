import type { ColumnType, Generated } from 'kysely'
import type { Json, Nullable, Time, WithDefault } from './identity-tables.ts'

/** Tables of policies, compliance, alerts and notifications. */
export interface PolicyTables {
  policy: {
    policy_id: string
    constant_policy_id: string
    revision: number
    region_id: string
    fields: Json<Record<string, unknown>>
    currency: string
    published: Generated<boolean>
    published_time: Nullable<Date>
    published_by_email: Nullable<string>
    effective_time: Nullable<Date>
    superseded_time: Nullable<Date>
    unpublished_time: Nullable<Date>
    prev_policy_id: Nullable<string>
    /** The revision as an MDS policy; null for drafts. */
    mds: ColumnType<unknown, string | null | undefined, string | null>
    /** The geographies of a published revision. */
    grounds: WithDefault<Json<{ geography_id: string; shape_uuid: string | null; name: string }[]>>
    is_deleted: Generated<boolean>
    created_time: Time
    created_by_email: Nullable<string>
    modified_time: Time
    modified_by_email: Nullable<string>
    imported: ColumnType<
      { content: string; ground: string; fields: string; shapes: Record<string, string[]> } | null,
      string | null | undefined,
      string | null
    >
  }
  policy_geography: {
    geography_id: string
    region_id: string
    source: string
    name: string
    description: Nullable<string>
    geography_type: string
    geography_json: Json<Record<string, unknown>>
    content_hash: string
    prev_geography_id: Nullable<string>
    published_time: Time
  }
  requirements: {
    region_id: string
    programs: Json<unknown>
    file_version: number
    modified_time: Time
    modified_by_email: string
  }
  compliance_day: {
    region_id: string
    policy_id: string
    day: string
    version: ColumnType<string, string, string>
    fact_changes: ColumnType<string, string, string>
    measured_time: Time
    body: Json<unknown>
  }
  alert_sent: {
    region_id: string
    recipient_key: string
    constant_policy_id: string
    operator: string
    shape: string
    day: string
    violations: number
  }
  announced_event: { region_id: string; type: string; subject: string; at: Time }
  subscription: {
    subscription_id: Generated<string>
    organization_id: string
    user_id: string
    topic: string
    region_id: string | null
    constant_policy_id: Nullable<string>
    operator: string | null
    channel: string
    cadence: string
    url: Nullable<string>
    sealed_secret: Nullable<string>
    previous_sealed_secret: Nullable<string>
    previous_until: Nullable<Date>
    disabled_time: Nullable<Date>
    token: Generated<string>
    first_day: Nullable<string>
    digest_day: Nullable<string>
    events: ColumnType<string[] | null, string | null | undefined, string | null>
    created_time: WithDefault<Time>
  }
  notification: {
    notification_id: Generated<string>
    region_id: string
    user_id: string
    subscription_id: string | null
    kind: string
    is_test: Generated<boolean>
    payload: WithDefault<Json<unknown>>
    title: Nullable<string>
    item_count: Generated<number>
    created_time: Time
    state: string
    tries: Generated<number>
    next_time: Nullable<Date>
    claimed_time: Nullable<Date>
    done_time: Nullable<Date>
    http_status: Nullable<number>
    problem: Nullable<string>
  }
}
