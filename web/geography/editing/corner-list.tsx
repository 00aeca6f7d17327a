import { ActionIcon, NumberInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Position } from '#contract/place.ts'
import type { DrawingPart } from '#web/map/drawing-tools/drawing-board.ts'
import styles from './editing.module.css'
import { addCorner, cornersOf, moveCorner, removeCorner } from './corners.ts'

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
    <div className={styles['corners']} role="group" aria-label={t('geography:corners.title')}>
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
              aria-label={t('geography:corners.lon', { number })}
              value={corner[0]}
              onChange={move(0)}
            />
            <NumberInput
              size="xs"
              hideControls
              decimalScale={7}
              min={-90}
              max={90}
              aria-label={t('geography:corners.lat', { number })}
              value={corner[1]}
              onChange={move(1)}
            />
            {part.kind === 'point' ? null : (
              <div>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('geography:corners.add', { number })}
                  onClick={() => onChange(addCorner(part, at))}
                >
                  <IconPlus size={16} />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('geography:corners.remove', { number })}
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
