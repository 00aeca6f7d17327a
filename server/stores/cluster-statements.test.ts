import { describe, expect, it } from 'vitest'
import { ClusterStatements, findRegionalTables } from './cluster-statements.ts'
import { clickhouseMigrations } from './migrations/migrations.ts'

const schema = clickhouseMigrations.flatMap(({ statements }) => statements)
const regional = findRegionalTables(schema)
const isRegional = (table: string): boolean => regional.has(table)
const replicated = new ClusterStatements({ name: 'city', isSharded: false }, isRegional)
const sharded = new ClusterStatements({ name: 'city', isSharded: true }, isRegional)

const events = `create table if not exists vehicle_events (
  region_id LowCardinality(String),
  event_time DateTime64(3, 'UTC'),
  version UInt64
) engine = ReplacingMergeTree(version) partition by toMonday(event_time) order by (region_id, event_time)`

describe('statements of a cluster', () => {
  it('statements of a cluster create replicated tables', () => {
    expect(replicated.rewrite(events)).toEqual([
      `create table if not exists vehicle_events on cluster city (
  region_id LowCardinality(String),
  event_time DateTime64(3, 'UTC'),
  version UInt64
) engine = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/vehicle_events', '{replica}', version) partition by toMonday(event_time) order by (region_id, event_time)`,
    ])
    expect(
      replicated.rewrite(
        'create table if not exists v (a String, n Int32) engine = SummingMergeTree((n, n)) order by a',
      ),
    ).toEqual([
      "create table if not exists v on cluster city (a String, n Int32) engine = ReplicatedSummingMergeTree('/clickhouse/tables/{shard}/{database}/v', '{replica}', (n, n)) order by a",
    ])
  })

  it('statements of a cluster spread regions over shards, and store rows without a region on all servers', () => {
    const [local, distributed] = sharded.rewrite(events)
    expect(local).toContain('create table if not exists vehicle_events_local on cluster city (')
    expect(local).toContain("'/clickhouse/tables/{shard}/{database}/vehicle_events', '{replica}', version)")
    expect(distributed).toBe(
      'create table if not exists vehicle_events on cluster city as vehicle_events_local engine = Distributed(city, currentDatabase(), vehicle_events_local, cityHash64(region_id))',
    )
    expect(
      sharded.rewrite('create table if not exists cells (cell UInt64) engine = MergeTree order by cell'),
    ).toEqual([
      "create table if not exists cells on cluster city (cell UInt64) engine = ReplicatedMergeTree('/clickhouse/tables/all/{database}/cells', '{shard}-{replica}') order by cell",
    ])
  })

  it('statements of a cluster remove rows on all shards, and on one replica of each', () => {
    expect(sharded.rewrite("alter table trips_staging drop partition 'x', drop partition 'y'")).toEqual([
      "alter table trips_staging_local on cluster city drop partition 'x', drop partition 'y'",
    ])
    expect(sharded.rewrite('delete from trips where region_id in {a:Array(String)} and (1)')).toEqual([
      'delete from trips_local on cluster city where region_id in {a:Array(String)} and (1)',
    ])
    for (const statement of ["alter table trips_staging drop partition 'x'", 'delete from trips where 1'])
      expect(replicated.rewrite(statement)).toEqual([statement])
  })

  it('statements of a cluster add columns to local and distributed tables', () => {
    const statement = 'alter table trips add column if not exists a UInt32 after b'
    expect(sharded.rewrite(statement)).toEqual([
      'alter table trips_local on cluster city add column if not exists a UInt32 after b',
      'alter table trips on cluster city add column if not exists a UInt32 after b',
    ])
    expect(replicated.rewrite(statement)).toEqual([statement])
  })

  it('statements of a cluster define dictionaries on all servers', () => {
    expect(sharded.rewrite('drop dictionary if exists i_1_cells')).toEqual([
      'drop dictionary if exists i_1_cells on cluster city',
    ])
    expect(replicated.rewrite('create or replace dictionary d (a UInt64) primary key a')).toEqual([
      'create or replace dictionary d on cluster city (a UInt64) primary key a',
    ])
  })

  it('statements of a cluster drop the local rows of a table with it', () => {
    expect(sharded.rewrite('drop table if exists trips')).toEqual([
      'drop table if exists trips on cluster city',
      'drop table if exists trips_local on cluster city',
    ])
    expect(replicated.rewrite('drop table if exists trips')).toEqual([
      'drop table if exists trips on cluster city',
    ])
  })

  it('does not change other statements', () => {
    expect(sharded.rewrite('insert into trips (a) select 1')).toEqual(['insert into trips (a) select 1'])
  })

  it('statements of a cluster cover the whole schema: no table is on one server only, and views read and write local rows', () => {
    const created = schema.filter((statement) => /^\s*create /.test(statement))
    const isOnCluster = (text: string): boolean => / on cluster city\b/.test(text)
    expect(created.flatMap((statement) => replicated.rewrite(statement)).every(isOnCluster)).toBe(true)
    const definitions = schema.filter((statement) => !/^\s*insert /.test(statement))
    expect(definitions.flatMap((statement) => sharded.rewrite(statement)).every(isOnCluster)).toBe(true)
    const tables = schema.filter((statement) => /^\s*create table/.test(statement))
    for (const table of tables)
      expect(sharded.rewrite(table)[0]).toMatch(/engine = Replicated\w*MergeTree\('\/clickhouse\/tables\//)
    const views = schema
      .flatMap((statement) => sharded.rewrite(statement))
      .filter((text) => text.includes('materialized view'))
    expect(views.length).toBeGreaterThan(0)
    for (const view of views) expect(view).toMatch(/ to \w+_local as[\s\S]*from \w+_local\b/)
  })

  it('statements of a cluster throw for an invalid name of a cluster', () => {
    expect(() => new ClusterStatements({ name: 'a b', isSharded: false }, isRegional)).toThrow('Not a name')
  })
})
