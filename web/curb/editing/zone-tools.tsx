import { NumberInput } from '@mantine/core'
import {
  IconArrowMerge,
  IconLine,
  IconPointer,
  IconRoad,
  IconScissors,
  IconSquareCheck,
  IconTrash,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EditingButtons, ToolButton, ToolGroup } from '#web/map-page/editing/tool-button.tsx'
import styles from '#web/map-page/editing/editing.module.css'
import { fromMeters, toMeters } from './curb-lines.ts'
import type { EditAction, EditState, Tool } from './edit-state.ts'

interface Props {
  state: EditState
  dispatch: (action: EditAction) => void
  /** Number of selected zones. */
  zoneCount: number
  isMetric: boolean
  offsetMeters: number
  onOffset: (meters: number) => void
  onHelp: () => void
}

const icons: Record<Tool, ReactNode> = {
  select: <IconPointer size={20} />,
  street: <IconRoad size={20} />,
  line: <IconLine size={20} />,
  split: <IconScissors size={20} />,
}

/** Limits of the offset from the center of the street, in meters and in feet. */
const meterLimits = { min: 0.5, max: 40, step: 0.5 }
const footLimits = { min: 2, max: 130, step: 1 }

/** The tools of the editor. The tooltip of a disabled tool explains why it is disabled. */
export function ZoneTools({ state, dispatch, zoneCount, isMetric, offsetMeters, onOffset, onHelp }: Props) {
  const { t } = useTranslation()
  const renderTool = (name: Tool, disabledReason: string | null = null) => (
    <ToolButton
      label={t(`curb:editing.tool.${name}`)}
      disabledReason={disabledReason}
      isOn={state.tool === name}
      onClick={() => dispatch({ type: 'tool', tool: name })}
    >
      {icons[name]}
    </ToolButton>
  )
  return (
    <>
      <div className={styles['toolbar']} role="toolbar" aria-label={t('curb:editing.tool.label')}>
        <ToolGroup label={t('map:editing.group.draw')}>
          {renderTool('select')}
          <ToolButton
            label={t('curb:editing.tool.multiple')}
            isOn={state.isMultiple}
            onClick={() => dispatch({ type: 'multiple', on: !state.isMultiple })}
          >
            <IconSquareCheck size={20} />
          </ToolButton>
          {renderTool('street')}
          {renderTool('line')}
        </ToolGroup>
        <ToolGroup label={t('map:editing.group.change')}>
          {renderTool('split', zoneCount === 1 ? null : t('curb:editing.tool.needsOne'))}
          <ToolButton
            label={t('curb:editing.tool.merge')}
            disabledReason={zoneCount > 1 ? null : t('curb:editing.tool.needsTwo')}
            onClick={() => dispatch({ type: 'merge' })}
          >
            <IconArrowMerge size={20} />
          </ToolButton>
          <ToolButton
            label={t('curb:editing.tool.remove')}
            disabledReason={zoneCount > 0 ? null : t('curb:editing.tool.needsAny')}
            onClick={() => dispatch({ type: 'remove' })}
          >
            <IconTrash size={20} />
          </ToolButton>
        </ToolGroup>
        <EditingButtons
          isSnapping={state.isSnapping}
          onSnap={(on) => dispatch({ type: 'snap', on })}
          history={state.history}
          onUndo={() => dispatch({ type: 'undo' })}
          onRedo={() => dispatch({ type: 'redo' })}
          onHelp={onHelp}
        />
      </div>
      {state.tool === 'street' ? (
        <NumberInput
          label={t('curb:editing.aside')}
          {...(isMetric ? meterLimits : footLimits)}
          decimalScale={1}
          suffix={isMetric ? ' m' : ' ft'}
          value={fromMeters(offsetMeters, isMetric)}
          onChange={(value) => {
            if (typeof value === 'number' && value > 0) onOffset(toMeters(value, isMetric))
          }}
        />
      ) : null}
    </>
  )
}
