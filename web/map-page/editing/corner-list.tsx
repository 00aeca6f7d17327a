import { ActionIcon, NumberInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Position } from '#contract/place.ts'
import type { DrawingPart } from '#web/map/drawing-tools/drawing-board.ts'
import styles from './editing.module.css'

const isRing = ({ kind }: DrawingPart): boolean => kind === 'outline' || kind === 'hole'

/** The corners of a part; that of a ring's end is its first. */
export const cornersOf = (part: DrawingPart): readonly Position[] =>
  isRing(part) ? part.positions.slice(0, -1) : part.positions

const closed = (part: DrawingPart, corners: readonly Position[]): Position[] =>
  isRing(part) ? [...corners, corners[0]!] : [...corners]

export const moveCorner = (part: DrawingPart, at: number, to: Position): Position[] =>
  closed(part, cornersOf(part).with(at, to))
export const removeCorner = (part: DrawingPart, at: number): Position[] =>
  closed(part, cornersOf(part).toSpliced(at, 1))

/** Adds a corner halfway to the next; behind the last of a line it goes on by half of its last edge. */
export function addCorner(part: DrawingPart, at: number): Position[] {
  const corners = cornersOf(part)
  const [here, next] = [corners[at]!, corners[at + 1] ?? (isRing(part) ? corners[0] : null)]
  const before = corners[at - 1] ?? here
  const place: Position = next
    ? [(here[0] + next[0]) / 2, (here[1] + next[1]) / 2]
    : [here[0] + (here[0] - before[0]) / 2, here[1] + (here[1] - before[1]) / 2]
  return closed(part, corners.toSpliced(at + 1, 0, place))
}

interface Props {
  part: DrawingPart
  onChange: (positions: Position[]) => void
}

/** So many corners are listed; those of a longer outline are for the pointer. */
const most = 200

/** The corners of a part as numbers: moved, added and taken away without a pointer. */
export function CornerList({ part, onChange }: Props) {
  const { t } = useTranslation()
  const corners = cornersOf(part)
  return (
    <div className={styles['corners']} role="group" aria-label={t('map:editing.corners.title')}>
      {corners.slice(0, most).map((corner, at) => {
        const number = at + 1
        const move = (axis: 0 | 1) => (value: string | number) => {
          if (typeof value === 'number' && value !== corner[axis])
            onChange(moveCorner(part, at, axis === 0 ? [value, corner[1]] : [corner[0], value]))
        }
        return (
          // Corners have no name but their place.
          <div key={at} className={styles['corner']}>
            <NumberInput
              size="xs"
              hideControls
              decimalScale={7}
              min={-180}
              max={180}
              aria-label={t('map:editing.corners.lon', { number })}
              value={corner[0]}
              onChange={move(0)}
            />
            <NumberInput
              size="xs"
              hideControls
              decimalScale={7}
              min={-90}
              max={90}
              aria-label={t('map:editing.corners.lat', { number })}
              value={corner[1]}
              onChange={move(1)}
            />
            {part.kind === 'point' ? null : (
              <div>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('map:editing.corners.add', { number })}
                  onClick={() => onChange(addCorner(part, at))}
                >
                  <IconPlus size={16} />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('map:editing.corners.remove', { number })}
                  disabled={corners.length <= (part.kind === 'line' ? 2 : 3)}
                  onClick={() => onChange(removeCorner(part, at))}
                >
                  <IconTrash size={16} />
                </ActionIcon>
              </div>
            )}
          </div>
        )
      })}
    </div>
  )
}
