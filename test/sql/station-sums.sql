select
    operator, feed_id, station_id,
    toString(sum(part_until - part_from)) as known,
    toString(sumIf(part_until - part_from, is_installed)) as installed,
    toString(sumIf(part_until - part_from, is_renting)) as renting,
    toString(sumIf(part_until - part_from, is_returning)) as returning,
    toString(sumIf(part_until - part_from, is_empty)) as empty,
    toString(
      if(countIf(docks_available is not null) = 0, -1, sumIf(part_until - part_from, is_full))
    ) as full,
    toString(sumIf(part_until - part_from, is_empty or is_full)) as either,
    sumIf(
      assumeNotNull(vehicles_disabled) * (part_until - part_from),
      vehicles_disabled is not null
    ) as disabled_sum,
    toString(sumIf(part_until - part_from, vehicles_disabled is not null)) as disabled_known
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
          toUInt64(intDiv(state_from, {p0:Int64})),
          toUInt64(intDiv(state_until - 1, {p1:Int64}) + 1)
        )
      ) as utc_day
    from (
    select state.*, least(state.next_state, span.span_until) as state_until
    from (
      select
        operator, feed_id, station_id, is_listed, vehicles_available, docks_available, vehicles_disabled,
        is_installed, is_renting, is_returning, reported_time,
        toUnixTimestamp64Milli(from_time) as state_from,
        leadInFrame(state_from, 1, {p2:Int64}) over (
          partition by operator, feed_id, station_id
          order by state_from
          rows between current row and unbounded following
        ) as next_state
      from (select * from station_states final where region_id in {scope_regions:Array(String)})
      where
        region_id = {p3:String} and operator in {p4:Array(String)}
        and 
  (operator, feed_id, station_id) not in (
    select operator, feed_id, station_id
    from (select * from station_details final where region_id in {scope_regions:Array(String)})
    where region_id = {p5:String} and operator in {p6:Array(String)}
    group by operator, feed_id, station_id
    having argMax(is_virtual, from_time)
  )
        and from_time > fromUnixTimestamp64Milli({p7:Int64})
        and from_time < fromUnixTimestamp64Milli({p8:Int64})
    ) as state
    asof join (
    select
      operator, feed_id, span_from,
      least(last_poll + {p9:Int64}, next_span) as span_until
    from (
      select
        operator, feed_id,
        toUnixTimestamp64Milli(from_time) as span_from,
        toUnixTimestamp64Milli(until_time) as last_poll,
        leadInFrame(span_from, 1, {p10:Int64}) over (
          partition by operator, feed_id
          order by span_from
          rows between current row and unbounded following
        ) as next_span
      from (select * from station_spans final where region_id in {scope_regions:Array(String)})
      where
        region_id = {p11:String} and operator in {p12:Array(String)}
        and from_time > fromUnixTimestamp64Milli({p13:Int64})
        and from_time < fromUnixTimestamp64Milli({p14:Int64})
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
        {p15:Array(Int64)},
        {p16:Array(Int64)},
        {p17:Array(Int64)},
        {p18:Array(Int64)}
      )) as part
    )) as window on window.utc_day = toInt64(segment.utc_day)
  where part_until > part_from)
  group by operator, feed_id, station_id
  order by operator, feed_id, station_id

-- p0 = 86400000
-- p1 = 86400000
-- p2 = "9000000000000000"
-- scope_regions = ["here"]
-- p3 = "here"
-- p4 = ["zephyr"]
-- p5 = "here"
-- p6 = ["zephyr"]
-- p7 = "1772707800000"
-- p8 = "1772938800000"
-- p9 = 600000
-- p10 = "9000000000000000"
-- p11 = "here"
-- p12 = ["zephyr"]
-- p13 = "1772707800000"
-- p14 = "1772938800000"
-- p15 = [20518,20519,20519,20520]
-- p16 = [0,0,1,1]
-- p17 = [1772794800000,1772841600000,1772881200000,1772928000000]
-- p18 = [1772841600000,1772852400000,1772928000000,1772938800000]
