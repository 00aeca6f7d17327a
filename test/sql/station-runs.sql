select
    operator, feed_id, station_id,
    toString(maxIf(run_ms, kind = 'empty')) as longest_empty,
    toString(maxIf(run_ms, kind = 'full')) as longest_full,
    toString(
      sumIf(
        run_ms - {p0:Int64},
        kind = 'either' and run_ms > {p1:Int64}
      )
    ) as beyond,
    toString(countIf(kind = 'either' and run_ms > {p2:Int64})) as runs
  from (
    select operator, feed_id, station_id, kind, run, toInt64(sum(part_until - part_from)) as run_ms
    from (
      select
        operator, feed_id, station_id, kind, part_from, part_until,
        sum(is_first) over (
          partition by operator, feed_id, station_id, kind
          order by part_from
          rows between unbounded preceding and current row
        ) as run
      from (
        select
          operator, feed_id, station_id, kind, part_from, part_until,
          part_from != lagInFrame(part_until, 1, toInt64(0)) over (
            partition by operator, feed_id, station_id, kind
            order by part_from
            rows between 1 preceding and current row
          ) as is_first
        from (
          select
            operator, feed_id, station_id, part_from, part_until,
            arrayJoin(
              arrayFilter(x -> x != '', [if(is_empty, 'empty', ''), if(is_full, 'full', ''), 'either'])
            ) as kind
          from (
  select
    operator, feed_id, station_id, is_installed, is_renting, is_returning, vehicles_disabled,
    docks_available,
    is_renting and vehicles_available = 0 as is_empty,
    is_returning and ifNull(docks_available = 0, 0) as is_full,
    window.day as day,
    greatest(segment.state_from, window.window_from) as part_from,
    least(segment.state_until, window.window_until) as part_until
  from (
    select
      *,
      arrayJoin(
        range(
          toUInt64(intDiv(state_from, {p3:Int64})),
          toUInt64(intDiv(state_until - 1, {p4:Int64}) + 1)
        )
      ) as utc_day
    from (
    select state.*, least(state.next_state, span.span_until) as state_until
    from (
      select
        operator, feed_id, station_id, is_listed, vehicles_available, docks_available, vehicles_disabled,
        is_installed, is_renting, is_returning, reported_time,
        toUnixTimestamp64Milli(from_time) as state_from,
        leadInFrame(state_from, 1, {p5:Int64}) over (
          partition by operator, feed_id, station_id
          order by state_from
          rows between current row and unbounded following
        ) as next_state
      from (select * from station_states final where region_id in {scope_regions:Array(String)})
      where
        region_id = {p6:String} and operator in {p7:Array(String)}
        and 
  (operator, feed_id, station_id) not in (
    select operator, feed_id, station_id
    from (select * from station_details final where region_id in {scope_regions:Array(String)})
    where region_id = {p8:String} and operator in {p9:Array(String)}
    group by operator, feed_id, station_id
    having argMax(is_virtual, from_time)
  )
        and from_time > fromUnixTimestamp64Milli({p10:Int64})
        and from_time < fromUnixTimestamp64Milli({p11:Int64})
    ) as state
    asof join (
    select
      operator, feed_id, span_from,
      least(last_poll + {p12:Int64}, next_span) as span_until
    from (
      select
        operator, feed_id,
        toUnixTimestamp64Milli(from_time) as span_from,
        toUnixTimestamp64Milli(until_time) as last_poll,
        leadInFrame(span_from, 1, {p13:Int64}) over (
          partition by operator, feed_id
          order by span_from
          rows between current row and unbounded following
        ) as next_span
      from (select * from station_spans final where region_id in {scope_regions:Array(String)})
      where
        region_id = {p14:String} and operator in {p15:Array(String)}
        and from_time > fromUnixTimestamp64Milli({p16:Int64})
        and from_time < fromUnixTimestamp64Milli({p17:Int64})
    )) as span
      on span.operator = state.operator
      and span.feed_id = state.feed_id
      and span.span_from <= state.state_from)
    where is_listed and state_until > state_from
  ) as segment
  join (
    select part.1 as utc_day, part.2 as day, part.3 as window_from, part.4 as window_until
    from (
      select arrayJoin(arrayZip(
        {p18:Array(Int64)},
        {p19:Array(Int64)},
        {p20:Array(Int64)},
        {p21:Array(Int64)}
      )) as part
    )) as window on window.utc_day = toInt64(segment.utc_day)
  where part_until > part_from)
          where is_empty or is_full
        )
      )
    )
    group by operator, feed_id, station_id, kind, run
  )
  group by operator, feed_id, station_id

-- p0 = 600000
-- p1 = 600000
-- p2 = 600000
-- p3 = 86400000
-- p4 = 86400000
-- p5 = "9000000000000000"
-- scope_regions = ["here"]
-- p6 = "here"
-- p7 = ["zephyr"]
-- p8 = "here"
-- p9 = ["zephyr"]
-- p10 = "1772707800000"
-- p11 = "1772938800000"
-- p12 = 600000
-- p13 = "9000000000000000"
-- p14 = "here"
-- p15 = ["zephyr"]
-- p16 = "1772707800000"
-- p17 = "1772938800000"
-- p18 = [20518,20519,20519,20520]
-- p19 = [0,0,1,1]
-- p20 = [1772794800000,1772841600000,1772881200000,1772928000000]
-- p21 = [1772841600000,1772852400000,1772928000000,1772938800000]
