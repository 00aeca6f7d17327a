import { Anchor, Button, Group, Text, TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getFieldIssues } from '#web/data/api-error.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'
import { Dialog } from '#web/kit/dialog.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { KeyList } from '#web/kit/key-list.tsx'
import { ChangeList } from '#web/map-page/editing/change-list.tsx'
import styles from '#web/map-page/editing/editing.module.css'
import { UnsavedGuard } from '#web/kit/unsaved-guard.tsx'
import { pagePath } from '#web/shell/pages.ts'
import { emptyDraft, listChanges } from './zone-draft.ts'
import { storeDraft } from './stored-draft.ts'
import { useSaveZones } from './use-save-zones.ts'
import type { ZoneEditing } from './use-zone-editing.ts'
import { ZoneConflicts } from './zone-conflicts.tsx'
import { formatZoneName } from './zone-name.ts'
import { ZonePanel } from './zone-panel.tsx'
import { ZoneTools } from './zone-tools.tsx'

const shortcuts = [
  ['finish', ['Enter']],
  ['cancel', ['Esc']],
  ['undo', ['Ctrl', 'Z']],
  ['redo', ['Ctrl', 'Shift', 'Z']],
  ['save', ['Ctrl', 'S']],
  ['remove', ['Delete']],
  ['pan', ['←', '↑', '→', '↓']],
  ['zoom', ['+', '−']],
  ['table', ['T']],
] as const

type EditorDialog = 'help' | 'discard'

interface Props {
  regionId: string
  isMetric: boolean
  editing: ZoneEditing
  offsetMeters: number
  onOffset: (meters: number) => void
}

/** Returns the panel of the editor, the buttons below it (`foot`), and the dialogs. */
export function useZoneEditor({ regionId, isMetric, editing, offsetMeters, onOffset }: Props) {
  const { t } = useTranslation()
  const { state, dispatch, draft, subjects, problems } = editing
  const saving = useSaveZones(regionId, dispatch)
  const [note, setNote] = useState('')
  const [effectiveDay, setEffectiveDay] = useState('')
  const [dialog, setDialog] = useState<EditorDialog | null>(null)
  const changes = useMemo(() => listChanges(draft), [draft])
  const hasBlockingProblem = [...problems.values()].some((problem) => problem !== 'other_side')
  const isSavable = changes.length > 0 && !hasBlockingProblem && !state.conflicts.length
  const save = (): void =>
    saving.save(draft, note, effectiveDay || null, () => {
      setNote('')
      setEffectiveDay('')
    })
  useEditorKeys(editing, () => isSavable && save())
  const foot = (
    <Group gap="xs">
      <Button loading={saving.isPending} disabled={!isSavable} onClick={save}>
        {changes.length ? t('curb:editing.save', { count: changes.length }) : t('kit:save')}
      </Button>
      <Button variant="default" disabled={!changes.length} onClick={() => setDialog('discard')}>
        {t('map:editing.leave.action')}
      </Button>
    </Group>
  )
  const panel = (
    <>
      <ZoneTools
        state={state}
        dispatch={dispatch}
        zoneCount={subjects.length}
        isMetric={isMetric}
        offsetMeters={offsetMeters}
        onOffset={onOffset}
        onHelp={() => setDialog('help')}
      />
      {state.refused ? (
        <Text role="alert" size="sm" c="var(--red)">
          {t(`curb:editing.refused.${state.refused}`)}
        </Text>
      ) : null}
      {editing.isRestored && changes.length ? (
        <Text size="xs" c="dimmed">
          {t('curb:editing.restored')}
        </Text>
      ) : null}
      {saving.error ? <FailedState error={saving.error} title={t('curb:editing.failed')} /> : null}
      {state.conflicts.length ? (
        <ZoneConflicts
          conflicts={state.conflicts}
          onResolve={(id, choice) => {
            saving.clear()
            dispatch({ type: 'resolve', id, choice })
          }}
        />
      ) : subjects.length ? (
        <ZonePanel key={subjects.map(({ id }) => id).join(' ')} editing={editing} isMetric={isMetric} />
      ) : (
        <Text size="sm" c="dimmed">
          {t('curb:editing.choose')}
        </Text>
      )}
      <UnsavedChanges regionId={regionId} editing={editing} saving={saving} changes={changes}>
        {changes.length ? (
          <>
            <TextInput
              label={t('curb:editing.note')}
              maxLength={500}
              value={note}
              onChange={(event) => setNote(event.currentTarget.value)}
            />
            <TextInput
              type="date"
              label={t('curb:editing.from')}
              description={t('curb:editing.fromHint')}
              value={effectiveDay}
              error={getFieldIssues(saving.error).get('effective_day')}
              onChange={(event) => setEffectiveDay(event.currentTarget.value)}
            />
          </>
        ) : null}
      </UnsavedChanges>
    </>
  )
  const dialogs = (
    <EditorDialogs
      regionId={regionId}
      dialog={dialog}
      hasChanges={changes.length > 0}
      onDiscard={() => dispatch({ type: 'discard' })}
      onClose={() => setDialog(null)}
    />
  )
  return { panel, foot, dialogs }
}

interface EditorDialogsProps {
  regionId: string
  dialog: EditorDialog | null
  hasChanges: boolean
  onDiscard: () => void
  onClose: () => void
}

/** The help, and the questions before changes are discarded or the editor is left. */
function EditorDialogs({ regionId, dialog, hasChanges, onDiscard, onClose }: EditorDialogsProps) {
  const { t } = useTranslation()
  return (
    <>
      {dialog === 'help' ? <KeyboardHelpDialog onClose={onClose} /> : null}
      {dialog === 'discard' ? (
        <ConfirmDialog
          title={t('map:editing.leave.title')}
          action={t('map:editing.leave.action')}
          isPending={false}
          error={null}
          onClose={onClose}
          onConfirm={() => {
            onDiscard()
            onClose()
          }}
        >
          {t('map:editing.leave.text')}
        </ConfirmDialog>
      ) : null}
      <UnsavedGuard
        hasUnsavedChanges={() => hasChanges}
        title={t('map:editing.leave.title')}
        action={t('map:editing.leave.action')}
        text={t('map:editing.leave.text')}
        onDiscard={() => storeDraft(regionId, emptyDraft)}
      />
    </>
  )
}

/** Handles the keyboard shortcuts of the editor, except those of the map. */
function useEditorKeys({ state, dispatch, subjects }: ZoneEditing, onSave: () => void): void {
  useHotkeys([
    ['mod+Z', () => dispatch({ type: 'undo' })],
    ['mod+shift+Z', () => dispatch({ type: 'redo' })],
    ['mod+Y', () => dispatch({ type: 'redo' })],
    ['mod+S', onSave],
    ['Delete', () => subjects.length > 0 && dispatch({ type: 'remove' })],
    [
      'Escape',
      () => {
        if (state.tool !== 'select') dispatch({ type: 'tool', tool: 'select' })
      },
      { preventDefault: false },
    ],
  ])
}

interface UnsavedChangesProps {
  regionId: string
  editing: ZoneEditing
  saving: ReturnType<typeof useSaveZones>
  changes: ReturnType<typeof listChanges>
  /** Fields about the changes. */
  children: ReactNode
}

/** The list of unsaved changes, and a link to the history. */
function UnsavedChanges({ regionId, editing, saving, changes, children }: UnsavedChangesProps) {
  const { t } = useTranslation()
  const { dispatch, problems } = editing
  return (
    <section className={styles['part']}>
      <h3 className={styles['title']}>{t('map:editing.changes.title')}</h3>
      {saving.isSaved && !changes.length ? (
        <Text role="status" size="sm" c="var(--green)">
          {t('curb:editing.saved')}
        </Text>
      ) : (
        <ChangeList
          changes={changes.map(({ id, form, kind, fields }) => {
            const problem = problems.get(id)
            return {
              id,
              name: formatZoneName(t, form),
              kind,
              text:
                kind === 'changed'
                  ? fields.map((field) => t(`curb:editing.field.${field}`)).join(', ') ||
                    t('curb:editing.merged')
                  : t(`curb:editing.kind.${kind}`),
              problem: saving.issuesByZone.get(id) ?? (problem ? t(`curb:editing.problem.${problem}`) : null),
            }
          })}
          onSelect={(id) => dispatch({ type: 'select', ids: [id] })}
          onRevert={(id) => dispatch({ type: 'revert', id })}
        />
      )}
      <Anchor component={Link} underline="always" size="sm" to={pagePath(regionId, 'curbZoneHistory')}>
        {t('curb:editing.history.open')}
      </Anchor>
      {children}
    </section>
  )
}

function KeyboardHelpDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('curb:editing.keys.title')} onClose={onClose}>
      <KeyList keys={shortcuts.map(([action, keys]) => [keys, t(`curb:editing.keys.${action}`)])} />
      <p>{t('curb:editing.keys.pointer')}</p>
      <p>{t('curb:editing.keys.keyboard')}</p>
    </Dialog>
  )
}
