import { ActionIcon, NumberInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Position } from '#contract/place.ts'
import type { DrawingPart } from '#web/map/drawing-tools/drawing-board.ts'
import styles from './editing.module.css'

const isRing = ({ kind }: DrawingPart): boolean => kind === 'outline' || kind === 'hole'

/** Returns the corners of a part. The last position of a ring repeats the first, so it is not a corner. */
export const getCorners = (part: DrawingPart): readonly Position[] =>
  isRing(part) ? part.positions.slice(0, -1) : part.positions

const toPositions = (part: DrawingPart, corners: readonly Position[]): Position[] =>
  isRing(part) ? [...corners, corners[0]!] : [...corners]

/** Returns the positions of a part after a corner was moved. */
export const moveCorner = (part: DrawingPart, index: number, to: Position): Position[] =>
  toPositions(part, getCorners(part).with(index, to))

/** Returns the positions of a part without a corner. */
export const removeCorner = (part: DrawingPart, index: number): Position[] =>
  toPositions(part, getCorners(part).toSpliced(index, 1))

/** Adds a corner halfway to the next one. At the end of a line, it extends the last edge by half its length. */
export function addCorner(part: DrawingPart, index: number): Position[] {
  const corners = getCorners(part)
  const corner = corners[index]!
  const previous = corners[index - 1] ?? corner
  const next = corners[index + 1] ?? (isRing(part) ? corners[0] : null)
  const newCorner: Position = next
    ? [(corner[0] + next[0]) / 2, (corner[1] + next[1]) / 2]
    : [corner[0] + (corner[0] - previous[0]) / 2, corner[1] + (corner[1] - previous[1]) / 2]
  return toPositions(part, corners.toSpliced(index + 1, 0, newCorner))
}

interface Props {
  part: DrawingPart
  onChange: (positions: Position[]) => void
}

/** Maximum number of listed corners; further ones can only be moved by pointer. */
const maxListedCorners = 200
const minLineCorners = 2
const minRingCorners = 3

/** The corners of a part as numbers, so that they can be moved, added and removed by keyboard. */
export function CornerList({ part, onChange }: Props) {
  const { t } = useTranslation()
  const corners = getCorners(part)
  return (
    <div className={styles['corners']} role="group" aria-label={t('map:editing.corners.title')}>
      {corners.slice(0, maxListedCorners).map((corner, index) => {
        const number = index + 1
        const move = (axis: 0 | 1) => (value: string | number) => {
          if (typeof value === 'number' && value !== corner[axis])
            onChange(moveCorner(part, index, axis === 0 ? [value, corner[1]] : [corner[0], value]))
        }
        return (
          // Corners have no other identity than their position in the list.
          <div key={index} className={styles['corner']}>
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
                  onClick={() => onChange(addCorner(part, index))}
                >
                  <IconPlus size={16} />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('map:editing.corners.remove', { number })}
                  disabled={corners.length <= (part.kind === 'line' ? minLineCorners : minRingCorners)}
                  onClick={() => onChange(removeCorner(part, index))}
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
