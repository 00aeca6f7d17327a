import { Button, Group, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Layer } from '#contract/geography.ts'
import { isArea, type Geometry } from '#contract/place.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'
import { type DisplayableError, FailedState } from '#web/kit/failed-state.tsx'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import { useRegion } from '#web/shell/region.tsx'
import { listChanges, emptyDraft } from '../draft/draft.ts'
import { storeDraft } from '../draft/stored-draft.ts'
import { DependentList } from '../dependent-list.tsx'
import { GeographyPanel } from '../geography-panel.tsx'
import { NoteList } from '../note-list.tsx'
import { countHoles, type Subject } from '../geometry/area-operations.ts'
import { ChangeList } from '#web/map-page/editing/change-list.tsx'
import { ShapeFields } from './shape-fields.tsx'
import { ConflictList } from './conflict-list.tsx'
import { findSubject, type Tool } from './edit-state.ts'
import type { EditingView } from './editing-view.ts'
import styles from '#web/map-page/editing/editing.module.css'
import { toolHint } from './tool-hint.ts'
import { KeyboardHelpDialog } from './keyboard-help-dialog.tsx'
import { UnsavedGuard } from '#web/kit/unsaved-guard.tsx'
import { listMergeChoices, useMergeWith } from './use-merge-with.ts'
import { ToolBar } from './tool-bar.tsx'
import { useEditing } from './use-editing.ts'
import { useSaveDraft } from './use-save-draft.ts'
import { buildEditingView } from './build-editing-view.ts'

interface Props {
  layer: Layer
  /** The view of the map: longitude, latitude, zoom. */
  view: readonly [number, number, number] | undefined
  selected: string | null
  onSelect: (id: string | null) => void
  /** Receives what the editor adds to the map. */
  onViewChange: (view: EditingView) => void
  /** Ref of the tools, which take the focus when editing starts. */
  toolsRef: (tools: HTMLElement | null) => void
  onClose: () => void
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}

/** The editor of a layer: tools, the selected shape, and unsaved changes. */
export function Editor({
  layer,
  view,
  selected,
  onSelect,
  onViewChange,
  toolsRef,
  onClose,
  isOpen,
  onOpen,
}: Props) {
  const { t } = useTranslation()
  const scheme = useMapScheme()
  const editing = useEditing(layer, view, selected, onSelect)
  const { state, dispatch, draft, problems } = editing
  const saving = useSaveDraft(layer, dispatch)
  const [sketch, setSketch] = useState<Geometry | null>(null)
  const [dialog, setDialog] = useState<'help' | 'discard' | null>(null)
  const changes = useMemo(() => listChanges(draft), [draft])
  const subject = findSubject(state, state.selected)
  const drawnName = t('geography:editing.newName', {
    number: layer.shape_count + changes.filter(({ kind }) => kind === 'created').length + 1,
  })
  const isSavable = changes.length > 0 && problems.size === 0 && state.conflicts.length === 0
  const { save } = saving
  useShownDraft({ layer, editing, subject, sketch, setSketch, drawnName, onViewChange })
  useEditorKeys({
    tool: state.tool,
    dispatch,
    onSave: () => {
      if (isSavable) save(draft)
    },
    onStopTool: () => setSketch(null),
  })
  return (
    <>
      <GeographyPanel
        title={t('geography:editing.title', { layer: layer.layer_name })}
        isSmall={false}
        isOpen={isOpen}
        onOpen={onOpen}
        foot={
          <Group gap="xs">
            <Button loading={saving.isPending} disabled={!isSavable} onClick={() => save(draft)}>
              {changes.length > 0 ? t('geography:editing.save', { count: changes.length }) : t('kit:save')}
            </Button>
            <Button variant="default" onClick={() => (changes.length > 0 ? setDialog('discard') : onClose())}>
              {t('geography:editing.stop')}
            </Button>
          </Group>
        }
      >
        <ToolBar
          firstToolRef={toolsRef}
          state={state}
          dispatch={dispatch}
          geometryType={layer.geometry_type}
          selected={
            subject && {
              isArea: isArea(subject.form.geom),
              holes: isArea(subject.form.geom) ? countHoles(subject.form.geom) : 0,
            }
          }
          onHelp={() => setDialog('help')}
        />
        <EditorMessages editing={editing} hasChanges={changes.length > 0} error={saving.error} />
        {state.conflicts.length > 0 ? (
          <ConflictList
            conflicts={state.conflicts}
            scheme={scheme}
            onShow={(id) => dispatch({ type: 'select', id })}
            onResolve={(id, keep) => {
              saving.clear()
              dispatch({ type: 'resolve', id, keep })
            }}
          />
        ) : (
          <SelectedShape editing={editing} subject={subject} />
        )}
        <UnsavedChanges changes={changes} problems={problems} saving={saving} dispatch={dispatch} />
      </GeographyPanel>
      <EditorDialogs
        dialog={dialog}
        saving={saving}
        hasChanges={changes.length > 0}
        removeStored={() => storeDraft(layer.region_id, layer.shape_layer_uuid, emptyDraft)}
        onDiscard={() => {
          dispatch({ type: 'discard' })
          setTimeout(onClose)
        }}
        onDeleteDependents={() => save(draft, true)}
        onClose={() => setDialog(null)}
      />
    </>
  )
}

interface EditorDialogsProps {
  dialog: 'help' | 'discard' | null
  saving: ReturnType<typeof useSaveDraft>
  hasChanges: boolean
  /** Deletes the draft that the browser stores. */
  removeStored: () => void
  onDiscard: () => void
  onDeleteDependents: () => void
  onClose: () => void
}

/** Keyboard help, and the questions before changes are discarded or objects that depend on them deleted. */
function EditorDialogs({
  dialog,
  saving,
  hasChanges,
  removeStored,
  onDiscard,
  onDeleteDependents,
  onClose,
}: EditorDialogsProps) {
  const { t } = useTranslation()
  return (
    <>
      {dialog === 'help' ? <KeyboardHelpDialog onClose={onClose} /> : null}
      {dialog === 'discard' ? (
        <DiscardDialog
          onCancel={onClose}
          onDiscard={() => {
            removeStored()
            onClose()
            onDiscard()
          }}
        />
      ) : null}
      {saving.dependents.length > 0 ? (
        <ConfirmDialog
          title={t('geography:depends.confirmDelete')}
          action={t('geography:depends.deleteAnyway')}
          isPending={saving.isPending}
          error={null}
          onClose={saving.clear}
          onConfirm={onDeleteDependents}
        >
          <DependentList dependents={saving.dependents} />
        </ConfirmDialog>
      ) : null}
      <UnsavedGuard
        hasUnsavedChanges={() => hasChanges}
        title={t('map:editing.leave.title')}
        action={t('map:editing.leave.action')}
        text={t('map:editing.leave.text')}
        showsSameForm={(current, next) => current['layer'] === next['layer'] && next['edit'] === true}
        onDiscard={removeStored}
      />
    </>
  )
}

interface ShownDraft {
  layer: Layer
  editing: ReturnType<typeof useEditing>
  subject: Subject | null
  /** What has been drawn so far. */
  sketch: Geometry | null
  setSketch: (sketch: Geometry | null) => void
  /** Name of the next drawn shape. */
  drawnName: string
  onViewChange: Props['onViewChange']
}

/** Passes the draft, its problems and the hint of the tool to the map. */
function useShownDraft({
  layer,
  editing,
  subject,
  sketch,
  setSketch,
  drawnName,
  onViewChange,
}: ShownDraft): void {
  const { t } = useTranslation()
  const { isMetric } = useRegion()
  const scheme = useMapScheme()
  const { state, dispatch, problems, snapTo } = editing
  const editingView = useMemo(
    () =>
      buildEditingView(state, scheme, snapTo, {
        onChoose: (id) => dispatch({ type: 'part', id }),
        onPartChange: (part, positions) => dispatch({ type: 'moved', part, positions }),
        onSketch: setSketch,
        onDrawn: (geometry) => dispatch({ type: 'drawn', geometry, name: drawnName }),
      }),
    [state, scheme, snapTo, dispatch, drawnName, setSketch],
  )
  const merge = useMergeWith(layer.region_id, state, dispatch)
  const hint = toolHint(t, { tool: state.tool, subject, sketch, isMetric })
  const isMerging = state.tool === 'merge'
  const hasSubject = subject !== null
  useEffect(() => {
    const positions = [...problems.values()].flat().map(({ at }) => at)
    onViewChange({
      ...editingView,
      problems: positions,
      hint,
      onPick:
        isMerging && hasSubject
          ? (id) => {
              if (id) merge(id)
            }
          : null,
    })
  }, [editingView, problems, hint, isMerging, hasSubject, onViewChange, merge])
}

interface EditorKeys {
  tool: Tool
  dispatch: ReturnType<typeof useEditing>['dispatch']
  onSave: () => void
  onStopTool: () => void
}

/** Keyboard shortcuts of the editor. */
function useEditorKeys({ tool, dispatch, onSave, onStopTool }: EditorKeys): void {
  useHotkeys([
    ['mod+Z', () => dispatch({ type: 'undo' })],
    ['mod+shift+Z', () => dispatch({ type: 'redo' })],
    ['mod+Y', () => dispatch({ type: 'redo' })],
    ['mod+S', onSave],
    [
      'Escape',
      () => {
        if (tool !== 'select') {
          dispatch({ type: 'tool', tool: 'select' })
          onStopTool()
        }
      },
      { preventDefault: false },
    ],
  ])
}

interface EditorMessagesProps {
  editing: ReturnType<typeof useEditing>
  hasChanges: boolean
  error: DisplayableError | null
}

/** Why an action was refused, limits of snapping, a restored draft, and errors of saving. */
function EditorMessages({ editing, hasChanges, error }: EditorMessagesProps) {
  const { t } = useTranslation()
  const { state, isTooFar, isRestored } = editing
  return (
    <>
      {state.refusal ? (
        <Text role="alert" size="sm" c="var(--red)">
          {t(`geography:refused.${state.refusal}`)}
        </Text>
      ) : null}
      {isTooFar ? (
        <Text size="xs" c="dimmed">
          {t('geography:editing.noSnap')}
        </Text>
      ) : null}
      {isRestored && hasChanges ? (
        <Text size="xs" c="dimmed">
          {t('geography:editing.restored')}
        </Text>
      ) : null}
      {error ? <FailedState error={error} title={t('geography:layer.failed')} /> : null}
    </>
  )
}

interface UnsavedChangesProps {
  changes: ReturnType<typeof listChanges>
  problems: ReturnType<typeof useEditing>['problems']
  saving: ReturnType<typeof useSaveDraft>
  dispatch: ReturnType<typeof useEditing>['dispatch']
}

/** The list of unsaved changes; after saving, what was repaired. */
function UnsavedChanges({ changes, problems, saving, dispatch }: UnsavedChangesProps) {
  const { t } = useTranslation()
  return (
    <section className={styles['part']}>
      <h3 className={styles['title']}>{t('map:editing.changes.title')}</h3>
      {saving.notes !== null && changes.length === 0 ? (
        <Text role="status" size="sm" c="var(--green)">
          {t('geography:layer.saved')}
        </Text>
      ) : null}
      {saving.notes && saving.notes.length > 0 ? (
        <NoteList title={t('geography:editing.repaired')} notes={saving.notes} />
      ) : null}
      <ChangeList
        changes={changes.map(({ id, name, kind, parts }) => ({
          id,
          name,
          kind,
          text:
            kind === 'changed'
              ? parts.map((part) => t(`geography:part.${part}`)).join(', ')
              : t(`geography:act.${kind}`),
          problem: saving.faults.get(id) ?? (problems.has(id) ? t('geography:problem.short') : null),
        }))}
        onSelect={(id) => dispatch({ type: 'select', id })}
        onRevert={(id) => dispatch({ type: 'revert', id })}
      />
    </section>
  )
}

interface SelectedShapeProps {
  editing: ReturnType<typeof useEditing>
  subject: Subject | null
}

/** The fields of the selected shape, or what to do if there is none. */
function SelectedShape({
  editing: { state, dispatch, draft, shapes, problems },
  subject,
}: SelectedShapeProps) {
  const { t } = useTranslation()
  const { isMetric } = useRegion()
  if (!subject)
    return (
      <Text size="sm" c="dimmed">
        {t('geography:editing.choose')}
      </Text>
    )
  return (
    <ShapeFields
      // A new version of the shape, such as after an undo, resets the fields.
      key={`${subject.id}:${subject.form.name}:${subject.form.description}`}
      subject={subject}
      state={state}
      problems={problems.get(subject.id) ?? []}
      isMetric={isMetric}
      dispatch={dispatch}
      others={listMergeChoices(shapes, draft, subject)}
    />
  )
}

interface DiscardDialogProps {
  onCancel: () => void
  onDiscard: () => void
}

/** Asks to confirm that all unsaved changes are discarded. */
function DiscardDialog({ onCancel, onDiscard }: DiscardDialogProps) {
  const { t } = useTranslation()
  return (
    <ConfirmDialog
      title={t('map:editing.leave.title')}
      action={t('map:editing.leave.action')}
      isPending={false}
      error={null}
      onClose={onCancel}
      onConfirm={onDiscard}
    >
      {t('map:editing.leave.text')}
    </ConfirmDialog>
  )
}
