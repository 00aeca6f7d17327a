import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { gunzipSync } from 'node:zlib'
import { csvCell, formulaStart, negativeNumber } from '#contract/csv.ts'
import { BinaryRows } from './row-binary.ts'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { engineKinds, createFolder } from '../../test/engines/open-stores.ts'
import { parseErrorCode, type Engine, FactError, defaultLimits } from './engine.ts'
import type { FileFormat } from './file-formats.ts'
import { totalSessions } from './workloads.ts'

const limits = defaultLimits

/** Returns the FactError with which a promise is rejected. */
const catchFailure = async (work: Promise<unknown>): Promise<FactError> => {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(FactError)
  return error as FactError
}

const toTsv = (...lines: string[]): Uint8Array => encodeTsv(lines)
const encodeTsv = (lines: readonly string[]): Uint8Array =>
  Buffer.from(lines.map((line) => `${line}\n`).join(''))

test('parseErrorCode finds the code in a message of ClickHouse', () => {
  expect(parseErrorCode('Code: 241. DB::Exception: Memory limit')).toBe(241)
  expect(parseErrorCode('something else')).toBeNull()
})

describe.each(engineKinds)('$name', ({ open }) => {
  let engine: Engine
  let close: () => Promise<void>
  beforeAll(async () => ({ store: engine, close } = await open()))
  afterAll(() => close())

  const countRunning = async (mark: string): Promise<number> => {
    const rows = await engine.rows(
      `select count() as n from system.processes where query like '%${mark}%' and query not like '%system.processes%'`,
      {},
      limits,
    )
    return Number((rows[0] as { n: string }).n)
  }
  const waitForRunning = async (mark: string, expected: number): Promise<void> => {
    for (let tries = 0; tries < 200 && (await countRunning(mark)) !== expected; tries++)
      await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await countRunning(mark)).toBe(expected)
  }

  const written = `select toUInt32(number) as n, if(n = 1, null, {text:String}) as word, toDateTime64('2026-01-01 00:00:00', 3, 'UTC') + n as at from numbers({rows:UInt64}) order by n desc`
  const writeTo = async (
    format: FileFormat,
    rows: number,
    text = written,
  ): Promise<{ count: number; bytes: Buffer }> => {
    const { folder, remove } = createFolder()
    const file = path.join(folder, 'file')
    try {
      const count = await engine.write(text, { text: 'a "b"\n\\,é', rows }, { path: file, format, limits })
      return { count, bytes: fs.readFileSync(file) }
    } finally {
      remove()
    }
  }
  const formatCsv = (rows: string): string => `"n","word","at"\r\n${rows}`

  // This test runs first, so that the first query's ticket is a prefix of a later one's.
  it('kills an aborted query, and no other', async () => {
    const stops = [new AbortController(), new AbortController()]
    const startQuery = (index: number): Promise<unknown> =>
      engine
        .rows(
          `select sum(sipHash64(number)) as n, 'aborted-${index}' as mark from numbers(1000000000000)`,
          {},
          { ...limits, seconds: 60 },
          stops[index]?.signal,
        )
        .then(
          () => 'answered',
          (error: unknown) => error,
        )
    const first = startQuery(0)
    for (let between = 0; between < 10; between++) await engine.rows('select 1', {}, limits)
    const second = startQuery(1)
    await waitForRunning('aborted-', 2)
    stops[0]?.abort()
    expect(await first).toBeInstanceOf(FactError)
    await waitForRunning('aborted-0', 0)
    await new Promise((resolve) => setTimeout(resolve, 300))
    await waitForRunning('aborted-1', 1)
    stops[1]?.abort()
    expect(await second).toBeInstanceOf(FactError)
    // Their output does not appear in the results of later queries.
    expect(
      await Promise.all(
        Array.from({ length: 20 }, (_, n) => engine.rows('select {n:UInt32} as n', { n }, limits)),
      ),
    ).toEqual(Array.from({ length: 20 }, (_, n) => [{ n }]))
  }, 60_000)

  it('kills queries that occupy all sessions', async () => {
    const abort = new AbortController()
    const failures = Array.from({ length: totalSessions + 1 }, (_, n) =>
      catchFailure(
        engine.rows(
          `select sum(sipHash64(number)) as n, 'occupied-${n}' as mark from numbers(1000000000000)`,
          {},
          { ...limits, seconds: 60 },
          abort.signal,
        ),
      ),
    )
    abort.abort()
    for (const { code, message } of await Promise.all(failures)) expect([code, message]).not.toContain(159)
    await waitForRunning('occupied-', 0)
  }, 60_000)

  it('returns rows as objects, 64-bit integers as text, NaN and infinity as null', async () => {
    const rows = await engine.rows(
      `select 1 as a, 'é 北 "\\'\\\\' as text, toUInt64(18446744073709551615) as large, toInt64(-9007199254740993) as low, nan as odd, inf as endless, toDate('2026-02-28') as day, [1, 2] as list, null as none, toUUID('6ba7b810-9dad-11d1-80b4-00c04fd430c8') as id`,
      {},
      limits,
    )
    expect(rows).toEqual([
      {
        a: 1,
        text: 'é 北 "\'\\',
        large: '18446744073709551615',
        low: '-9007199254740993',
        odd: null,
        endless: null,
        day: '2026-02-28',
        list: [1, 2],
        none: null,
        id: '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
      },
    ])
  })

  it('returns no rows as an empty list', async () =>
    expect(await engine.rows('select 1 as a where 0', {}, limits)).toEqual([]))

  it('accepts parameters of every type that queries use', async () => {
    const odd = `'; drop table trips; -- \\ {p0:String} \t\n "é" 北 \u{1F6B2}`
    const parameters = {
      s: odd,
      list: [odd, '', "a'b", 'c,d]', '\\'],
      d: '2026-02-28',
      f: -73.98765432101234,
      i8: 255,
      i16: 65535,
      i32: 4294967295,
      i64: '18446744073709551615',
      id: '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
      days: [1, 7],
      none: [],
    }
    const [row] = await engine.rows(
      `select {s:String} as s, {list:Array(String)} as list, {d:Date} as d, {f:Float64} as f, {i8:UInt8} as i8, {i16:UInt16} as i16, {i32:UInt32} as i32, {i64:UInt64} as i64, {id:UUID} as id, {days:Array(UInt8)} as days, {none:Array(String)} as none`,
      parameters,
      limits,
    )
    expect(row).toEqual(parameters)
  })

  it('throws errors with the code of ClickHouse', async () => {
    expect((await catchFailure(engine.rows('select * from no_such_table', {}, limits))).code).toBe(60)
    expect((await catchFailure(engine.rows('select no_such_column from system.one', {}, limits))).code).toBe(
      47,
    )
    expect((await catchFailure(engine.rows('selct 1', {}, limits))).code).toBe(62)
    expect(
      (await catchFailure(engine.rows('select {d:Date} as d', { d: 'yesterday' }, limits))).code,
    ).not.toBeNull()
    expect((await catchFailure(engine.command('drop table no_such_table', {}, limits))).code).toBe(60)
    expect((await catchFailure(engine.insert('no_such_table', ['a'], toTsv('1')))).code).toBe(60)
  })

  it('stops at the limits of time and of memory', async () => {
    expect(
      (
        await catchFailure(
          engine.rows(
            'select sum(sipHash64(number)) as n from numbers(1000000000000)',
            {},
            { ...limits, seconds: 1 },
          ),
        )
      ).code,
    ).toBe(159)
    expect(
      (
        await catchFailure(
          engine.rows(
            'select length(groupArray(number)) as n from numbers(50000000)',
            {},
            { ...limits, memory: 50_000_000 },
          ),
        )
      ).code,
    ).toBe(241)
  })

  it('throws an error that occurs after rows were sent', async () => {
    const error = await catchFailure(
      engine.rows(`select throwIf(number = 300000, 'too far') as n from numbers(400000)`, {}, limits),
    )
    expect(error.code).toBe(395)
    expect(error.message).toContain('too far')
    for (let n = 0; n < 20; n++)
      expect(await engine.rows('select {n:UInt8} as n', { n }, limits)).toEqual([{ n }])
  })

  it('runs no query if the signal is already aborted', async () => {
    const start = performance.now()
    await catchFailure(
      engine.rows(
        'select sum(sipHash64(number)) as n from numbers(1000000000000)',
        {},
        limits,
        AbortSignal.abort(),
      ),
    )
    expect(performance.now() - start).toBeLessThan(5000)
  })

  it('runs a short query while long ones run', async () => {
    const stop = new AbortController()
    const long = Array.from({ length: 2 }, (_, n) =>
      engine
        .rows(
          'select sum(sipHash64(number + {n:UInt8})) as n from numbers(1000000000000)',
          { n },
          { ...limits, seconds: 60 },
          stop.signal,
        )
        .catch(() => 'stopped'),
    )
    const start = performance.now()
    expect(await engine.rows('select {n:UInt8} as n', { n: 7 }, limits)).toEqual([{ n: 7 }])
    expect(performance.now() - start).toBeLessThan(10_000)
    stop.abort()
    expect(await Promise.all(long)).toEqual(['stopped', 'stopped'])
  }, 60_000)

  it('returns any text unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', maxLength: 40 }),
        fc.array(
          fc.string({
            unit: fc.constantFrom(
              '\0',
              '\b',
              '\f',
              '\n',
              '\r',
              '\t',
              '\v',
              '\\',
              "'",
              '"',
              ',',
              '[',
              ']',
              '{',
              '}',
              'N',
              'n',
              'é',
              '\u{1F6B2}',
            ),
            maxLength: 20,
          }),
          { maxLength: 5 },
        ),
        async (s, list) => {
          expect(
            await engine.rows('select {s:String} as s, {list:Array(String)} as list', { s, list }, limits),
          ).toEqual([{ s, list }])
        },
      ),
      { numRuns: Number(process.env['ENGINE_RUNS'] ?? 30) },
    )
  })

  it('inserts tab-separated rows with special characters', async () => {
    await engine.command(
      'create table odd (n UInt32, text String, maybe Nullable(Float64), list Array(Float64)) engine = MergeTree order by n',
      {},
      limits,
    )
    await engine.insert(
      'odd',
      ['n', 'text', 'maybe', 'list'],
      toTsv(
        '1\t\t\\N\t[]',
        `2\t\\t\\n\\\\N\\r\\0'"\t1.5\t[1,inf,-inf]`,
        '3\té 北 \u{1F6B2}\t-0.25\t[1e-9]',
        '4\t  spaces \tnan\t[nan]',
      ),
    )
    await engine.insert('odd', ['text', 'n'], toTsv('\\N is not null here\t5'.replace('\\N', 'N')))
    expect(
      await engine.rows(
        'select n, text, maybe, arrayMap(x -> toString(x), list) as list from odd order by n',
        {},
        limits,
      ),
    ).toEqual([
      { n: 1, text: '', maybe: null, list: [] },
      { n: 2, text: `\t\n\\N\r\0'"`, maybe: 1.5, list: ['1', 'inf', '-inf'] },
      { n: 3, text: 'é 北 \u{1F6B2}', maybe: -0.25, list: ['1e-9'] },
      { n: 4, text: '  spaces ', maybe: null, list: ['nan'] },
      { n: 5, text: 'N is not null here', maybe: null, list: [] },
    ])
  })

  it.each([3, 60_000])('inserts %d rows in RowBinary', async (count) => {
    const table = `binary_${count}`
    await engine.command(
      `create table ${table} (n UInt64, small UInt8, text String, list Array(UInt32), maybe Array(Float64)) engine = MergeTree order by n`,
      {},
      limits,
    )
    const rows = new BinaryRows()
    const long = Uint32Array.from({ length: 300 }, (_, index) => index)
    for (let n = 0; n < count; n++)
      rows
        .uint64(n === 0 ? 2 ** 40 + 3 : n)
        .uint8(n % 256)
        .string(n === 1 ? 'é 北 \u{1F6B2}\n' : '')
        .array(n === 2 ? long : Uint32Array.of(2 ** 32 - 1))
        .array(Float64Array.of(1e-9, -Infinity))
    await engine.insert(table, ['n', 'small', 'text', 'list', 'maybe'], rows.bytes(), { format: 'RowBinary' })
    expect(
      await engine.rows(
        `select count() as rows, max(n) as last, sum(small) as small, max(text) as text, max(length(list)) as longest,
          max(list[1]) as number, arrayMap(x -> toString(x), any(maybe)) as maybe from ${table}`,
        {},
        limits,
      ),
    ).toEqual([
      {
        rows: String(count),
        last: String(2 ** 40 + 3),
        small: String(Array.from({ length: count }, (_, n) => n % 256).reduce((sum, n) => sum + n)),
        text: 'é 北 \u{1F6B2}\n',
        longest: '300',
        number: 2 ** 32 - 1,
        maybe: ['1e-9', '-inf'],
      },
    ])
  })

  it('inserts large batches like small ones', async () => {
    await engine.command(
      'create table many (n UInt32, text LowCardinality(String), maybe Nullable(Float64), version UInt8) engine = ReplacingMergeTree(version) order by n',
      {},
      limits,
    )
    const text = `\\t\\n\\\\N\\r\\0'" é 北 \u{1F6B2}`
    const lines = Array.from(
      { length: 40_000 },
      (_, n) => `${text}\t${n % 39_000}\t${n < 39_000 ? 0 : 1}\t${n % 2 ? '\\N' : 'nan'}`,
    )
    expect(encodeTsv(lines).length).toBeGreaterThan(1 << 20)
    await engine.insert('many', ['text', 'n', 'version', 'maybe'], encodeTsv(lines))
    // Deduplicates on insert, unless the rows are declared distinct.
    const counted = `select count() as rows, uniqExact(n) as numbers, countIf(maybe is null) as missing, min(text) as one, uniqExact(text) as texts from many`
    expect(await engine.rows(counted, {}, limits)).toMatchObject([
      { rows: '39000', numbers: '39000', texts: '1', one: `\t\n\\N\r\0'" é 北 \u{1F6B2}` },
    ])
    expect(await engine.rows('select n from many where version = 1 order by n limit 1', {}, limits)).toEqual([
      { n: 0 },
    ])
    await engine.command('truncate table many', {}, limits)
    await engine.insert('many', ['text', 'n', 'version', 'maybe'], encodeTsv(lines), { areDistinct: true })
    expect(await engine.rows(counted.replace('from many', 'from many final'), {}, limits)).toMatchObject([
      { rows: '39000', numbers: '39000' },
    ])
  })

  it('excludes deleted rows before and after the parts of a partition are merged', async () => {
    await engine.command(
      'create table replaced (day Date, n UInt32, is_deleted UInt8, version UInt8) engine = ReplacingMergeTree(version, is_deleted) partition by toMonday(day) order by n settings min_age_to_force_merge_seconds = 7200, min_age_to_force_merge_on_partition_only = 1',
      {},
      limits,
    )
    for (const part of [
      'number, 0, 1 from numbers(20000)',
      'number * 2, 1, 2 from numbers(1000)',
      'number * 4, 0, 3 from numbers(10)',
    ])
      await engine.command(`insert into replaced select '2026-01-05', ${part}`, {}, limits)
    const counted = `select count() as n from (select * from replaced final where n < 50000)`
    expect(await engine.rows(counted, {}, limits)).toEqual([{ n: '19010' }])
    await engine.command('optimize table replaced final', {}, limits)
    expect(
      await engine.rows(
        "select count() as parts from system.parts where table = 'replaced' and active",
        {},
        limits,
      ),
    ).toEqual([{ parts: '1' }])
    expect(await engine.rows(counted, {}, limits)).toEqual([{ n: '19010' }])
  })

  it.each([3, 300_000])('inserts none of %i rows if one is invalid', async (rows) => {
    const name = `whole_${rows}`
    await engine.command(`create table ${name} (n UInt32) engine = MergeTree order by n`, {}, limits)
    const { code } = await catchFailure(
      engine.insert(
        name,
        ['n'],
        encodeTsv([...Array.from({ length: rows - 1 }, (_, n) => String(n)), 'three']),
      ),
    )
    expect(code).toBe(27)
    expect(await engine.rows(`select count() as n from ${name}`, {}, limits)).toEqual([{ n: '0' }])
  })

  it('runs statements with parameters', async () => {
    await engine.command('create table texts (s String) engine = MergeTree order by s', {}, limits)
    await engine.command('insert into texts select {s:String}', { s: "it's" }, limits)
    await engine.command('delete from texts where s = {s:String}', { s: 'other' }, limits)
    expect(await engine.rows('select s from texts', {}, limits)).toEqual([{ s: "it's" }])
    await engine.command('delete from texts where s in {list:Array(String)}', { list: ["it's"] }, limits)
    expect(await engine.rows('select s from texts', {}, limits)).toEqual([])
  })

  it('returns the right result to each of many concurrent calls', async () => {
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, n) => engine.rows('select {n:UInt32} as n', { n }, limits)),
    )
    expect(responses).toEqual(Array.from({ length: 40 }, (_, n) => [{ n }]))
  })

  it('writes rows to files in their order, and counts them', async () => {
    const rows = `2,"a ""b""\n\\,é","2026-01-01T00:00:02.000Z"\r\n1,,"2026-01-01T00:00:01.000Z"\r\n0,"a ""b""\n\\,é","2026-01-01T00:00:00.000Z"\r\n`
    const plain = await writeTo('csv', 3)
    expect([plain.count, plain.bytes.toString()]).toEqual([3, formatCsv(rows)])
    const zipped = await writeTo('csv.gz', 3)
    expect([zipped.count, gunzipSync(zipped.bytes).toString()]).toEqual([3, formatCsv(rows)])
    const parquet = await writeTo('parquet', 3)
    expect([parquet.count, parquet.bytes.subarray(0, 4).toString()]).toEqual([3, 'PAR1'])
    const features = `select concat('{"type":"Feature","n":', toString(n), '}') as feature from (${written})`
    const geojson = await writeTo('geojson', 3, features)
    expect([geojson.count, JSON.parse(geojson.bytes.toString())]).toEqual([
      3,
      { type: 'FeatureCollection', features: [2, 1, 0].map((n) => ({ type: 'Feature', n })) },
    ])
    const none = await writeTo('geojson', 0, features)
    expect([none.count, JSON.parse(none.bytes.toString())]).toEqual([
      0,
      { type: 'FeatureCollection', features: [] },
    ])
    const empty = await writeTo('csv', 0)
    expect([empty.count, empty.bytes.toString()]).toEqual([0, formatCsv('')])
    expect((await writeTo('parquet', 0)).count).toBe(0)
  })

  it('stops writing a file when it is aborted', async () => {
    const { folder, remove } = createFolder()
    const stop = new AbortController()
    const writing = engine.write(
      `select number as n, 'written-aborted' as mark from numbers(1000000000000) where sipHash64(n) = 1`,
      {},
      {
        path: path.join(folder, 'file'),
        format: 'csv',
        limits: { ...limits, seconds: 60 },
        signal: stop.signal,
        onProgress: () => stop.abort(),
      },
    )
    expect((await catchFailure(writing)).message).toMatch(/cancel|abort/i)
    await waitForRunning('written-aborted', 0)
    remove()
  })

  it('protects the texts of a CSV from formulas in the same way as `csvCell`', async () => {
    const texts = ['=1', '+1', '-1', '-1.5', '-1.5.', '-', '@a', '\tx', '\rx', 'a=1', '', '-1\n=x', ' =1']
    const guard = `select if(match(t, {start:String}) and not match(t, {number:String}), concat('''', t), t) as t from (select arrayJoin({texts:Array(String)}) as t)`
    const rows = await engine.rows(
      guard,
      { start: formulaStart.source, number: negativeNumber.source, texts },
      limits,
    )
    const unquote = (cell: string): string => (cell.startsWith('"') ? cell.slice(1, -1) : cell)
    expect(rows).toEqual(texts.map((text) => ({ t: unquote(csvCell(text)) })))
  })
})
