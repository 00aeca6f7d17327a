import { useEffect, useMemo, useState } from 'react'
import type { IssuePoints, IssueType } from '#contract/issues.ts'
import type { AxisPlaying } from '#web/map-page/time/axis-playing.ts'
import type { Scheme } from '#web/kit/theme.ts'
import { IssueView } from './issue-view.ts'
import { getStatusColors, assignTypeColors } from './issue-colors.ts'
import type { IssueSteps } from './issue-steps.ts'
import type { Coloring } from './issues-search.ts'

interface ViewOptions {
  points: IssuePoints | null
  /** The playback of the map, during which only points of its day are shown. */
  playing: AxisPlaying<IssueSteps> | null
  /** All types of the region, most frequent first; null until loaded. */
  types: readonly IssueType[] | null
  color: Coloring
  scheme: Scheme
  zoom: number
  selected: { lon: number; lat: number } | null
}

/** Returns the issues as the map draws them, updated outside of React. */
export function useIssueView({
  points,
  playing,
  types,
  color,
  scheme,
  zoom,
  selected,
}: ViewOptions): IssueView {
  const [view] = useState(() => new IssueView())
  const getColor = useMemo(() => {
    const statusColors = getStatusColors(scheme)
    const { own: colorByType, others: otherColor } = assignTypeColors(types ?? [], scheme)
    return (issues: IssuePoints, index: number): string =>
      color === 'status'
        ? statusColors[issues.closed[index] ? 'closed' : 'open']
        : (colorByType.get(issues.types[issues.type[index] ?? -1]?.service_code ?? '') ?? otherColor)
  }, [types, color, scheme])
  const [lon, lat] = [selected?.lon, selected?.lat]
  useEffect(() => {
    const update = (): void =>
      view.update({
        points: playing ? playing.playback.points(playing.head.read()) : points,
        getColor,
        scheme,
        zoom,
        selected: lon === undefined || lat === undefined ? null : { lon, lat },
      })
    update()
    return playing?.head.subscribe(update)
  }, [view, points, playing, getColor, scheme, zoom, lon, lat])
  return view
}
