import type { ColumnType, Generated } from 'kysely'
import type { Json, Maybe, Time, WithDefault } from './identity-tables.ts'

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
    published_time: Maybe<Date>
    published_by_email: Maybe<string>
    effective_time: Maybe<Date>
    superseded_time: Maybe<Date>
    unpublished_time: Maybe<Date>
    prev_policy_id: Maybe<string>
    /** The revision as an MDS policy; null for drafts. */
    mds: ColumnType<unknown, string | null | undefined, string | null>
    /** The geographies of a published revision. */
    grounds: WithDefault<Json<{ geography_id: string; shape_uuid: string | null; name: string }[]>>
    is_deleted: Generated<boolean>
    created_time: Time
    created_by_email: Maybe<string>
    modified_time: Time
    modified_by_email: Maybe<string>
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
    description: Maybe<string>
    geography_type: string
    geography_json: Json<Record<string, unknown>>
    content_hash: string
    prev_geography_id: Maybe<string>
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
    constant_policy_id: Maybe<string>
    operator: string | null
    channel: string
    cadence: string
    url: Maybe<string>
    sealed_secret: Maybe<string>
    previous_sealed_secret: Maybe<string>
    previous_until: Maybe<Date>
    disabled_time: Maybe<Date>
    token: Generated<string>
    first_day: Maybe<string>
    digest_day: Maybe<string>
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
    title: Maybe<string>
    item_count: Generated<number>
    created_time: Time
    state: string
    tries: Generated<number>
    next_time: Maybe<Date>
    claimed_time: Maybe<Date>
    done_time: Maybe<Date>
    http_status: Maybe<number>
    problem: Maybe<string>
  }
}
