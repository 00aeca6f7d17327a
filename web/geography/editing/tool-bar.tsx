import {
  IconArrowMerge,
  IconCircleDashed,
  IconCircleFilled,
  IconCircleMinus,
  IconLine,
  IconMapPin,
  IconPointer,
  IconPolygon,
  IconScissors,
  IconTrash,
} from '@tabler/icons-react'
import { useCallback, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Layer } from '#contract/geography.ts'
import { EditingButtons, ToolButton, ToolGroup } from '#web/map-page/editing/tool-button.tsx'
import styles from '#web/map-page/editing/editing.module.css'
import type { EditAction, EditState, Tool } from './edit-state.ts'

interface Props {
  state: EditState
  dispatch: (action: EditAction) => void
  geometryType: Layer['geometry_type']
  /** The selected shape; null if there is none. */
  selected: { isArea: boolean; holes: number } | null
  onHelp: () => void
  /** Receives the first tool, so that it can take the focus. */
  firstToolRef: (button: HTMLElement | null) => void
}

const drawTools: Record<Layer['geometry_type'], readonly Tool[]> = {
  area: ['drawArea'],
  line: ['drawLine'],
  point: ['drawPoint'],
  mixed: ['drawArea', 'drawLine', 'drawPoint'],
  none: ['drawArea', 'drawLine', 'drawPoint'],
}
const icons: Record<Tool, ReactNode> = {
  select: <IconPointer size={20} />,
  drawArea: <IconPolygon size={20} />,
  drawLine: <IconLine size={20} />,
  drawPoint: <IconMapPin size={20} />,
  split: <IconScissors size={20} />,
  merge: <IconArrowMerge size={20} />,
  cut: <IconCircleMinus size={20} />,
}

/** The tools of the editor. The tooltip of a disabled tool explains why it is disabled. */
export function ToolBar({ state, dispatch, geometryType, selected, onHelp, firstToolRef }: Props) {
  const { t } = useTranslation()
  const isArea = selected?.isArea === true
  const areaReason = isArea ? null : t('geography:tool.needsArea')
  const renderTool = (name: Tool, disabledReason: string | null = null) => (
    <ToolButton
      key={name}
      label={t(`geography:tool.${name}`)}
      disabledReason={disabledReason}
      isOn={state.tool === name}
      onClick={() => dispatch({ type: 'tool', tool: name })}
    >
      {icons[name]}
    </ToolButton>
  )
  const toolBarRef = useCallback(
    (toolBar: HTMLElement | null) => firstToolRef(toolBar?.querySelector('button') ?? null),
    [firstToolRef],
  )
  return (
    <div ref={toolBarRef} className={styles['toolbar']} role="toolbar" aria-label={t('geography:tool.label')}>
      <ToolGroup label={t('map:editing.group.draw')}>
        {renderTool('select')}
        {drawTools[geometryType].map((name) => renderTool(name))}
      </ToolGroup>
      <ToolGroup label={t('map:editing.group.change')}>
        {renderTool('split', areaReason)}
        {renderTool('merge', areaReason)}
        {renderTool('cut', areaReason)}
        <ToolButton
          label={t('geography:tool.fill')}
          disabledReason={isArea && (selected?.holes ?? 0) > 0 ? null : t('geography:tool.needsHole')}
          onClick={() => dispatch({ type: 'fill' })}
        >
          {state.activePart?.endsWith(':0') === false ? (
            <IconCircleDashed size={20} />
          ) : (
            <IconCircleFilled size={20} />
          )}
        </ToolButton>
        <ToolButton
          label={t('geography:tool.remove')}
          disabledReason={selected ? null : t('geography:tool.needsShape')}
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
  )
}
