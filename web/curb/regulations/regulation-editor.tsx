import { Button, NumberInput, Select, Textarea, TextInput } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getPriorityBand, priorityBands, type RegulationDetail } from '#contract/curb-regulations.ts'
import { findCurbZoneChoices, listCurbZoneChoices } from '#contract/curb-zones.ts'
import type { Box } from '#contract/place.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { type DisplayableError, FailedState } from '#web/kit/failed-state.tsx'
import { UnsavedGuard } from '#web/kit/unsaved-guard.tsx'
import { pagePath } from '#web/shell/pages.ts'
import { useRegion } from '#web/shell/region.tsx'
import { boxAround } from '#web/map/rendering/box-around.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import { formatFinding } from './finding-text.ts'
import { regulationAddress } from './regulation-address.ts'
import { isChanged, type RegulationDraft, withField } from './regulation-draft.ts'
import { Precedences } from './precedences.tsx'
import { toPartPath, RegulationFindings } from './regulation-findings.tsx'
import styles from './regulations.module.css'
import { RuleFields } from './rule-fields.tsx'
import { formatPriorityBand } from '../rule-text.ts'
import { SpanFields } from './span-fields.tsx'
import { useRegulationCheck } from './use-regulation-check.ts'
import { useSaveRegulation } from './use-regulation-editor.ts'
import { useTextContext } from '../use-text-context.ts'
import { WeekPicture } from './week-picture.tsx'
import { ZoneFields } from './zone-fields.tsx'
import { ZonesMap } from './zones-map.tsx'

/** A titled section of the form. */
function FormSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={styles['part']} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

/** Number of selected zones that the first view shows. */
const maxShownZones = 500
/** Number of zones that it shows if none is selected. */
const defaultZoneCount = 100

/** Returns the first view of the zones map: the selected zones, or else the first zones of the region. */
export function useZonesBox(regionId: string, zoneIds: readonly string[]): Box | null {
  const [shownZoneIds] = useState(() => zoneIds.slice(0, maxShownZones))
  const params = { region_id: regionId }
  const selected = useEndpointQuery(
    findCurbZoneChoices,
    { params, body: { curb_zone_ids: [...shownZoneIds] } },
    { enabled: shownZoneIds.length > 0 },
  ).data
  const firstZones = useEndpointQuery(
    listCurbZoneChoices,
    { params, query: { size: defaultZoneCount } },
    { enabled: shownZoneIds.length === 0 },
  ).data
  const items = shownZoneIds.length ? selected?.items : firstZones?.items
  return useMemo(() => boxAround((items ?? []).map(({ bbox }) => bbox)), [items])
}

interface Props {
  mode: 'create' | 'edit'
  start: RegulationDraft
  /** The stored regulation at the start of editing; null for a new one. */
  saved: RegulationDetail | null
  at: number
}

/** The editor of a regulation: rules, times and zones on one side, weekly schedule and map on the other. */
export function RegulationEditor({ mode, start, saved, at }: Props) {
  const { t } = useTranslation()
  const region = useRegion()
  const { regionId } = region
  const navigate = useNavigate()
  const context = useTextContext()
  const [draft, setDraft] = useState(start)
  const [wasSubmitted, setWasSubmitted] = useState(false)
  /** Whether the draft was saved, so that leaving loses nothing. */
  const isSavedRef = useRef(false)
  const nameRef = useRef<HTMLInputElement>(null)
  const { policy, zoneIds } = draft
  const check = useRegulationCheck(regionId, draft, saved?.id ?? null)
  const findings = check?.findings
  const box = useZonesBox(regionId, start.zoneIds)
  const { save, isPending, fault, clear } = useSaveRegulation(regionId, saved, (regulation) => {
    isSavedRef.current = true
    // A new regulation is opened after saving; otherwise the user returns to the library.
    const to =
      mode === 'edit'
        ? pagePath(regionId, 'regulationsLibrary')
        : regulationAddress(regionId, regulation.regulation_id)
    void navigate({ to })
  })
  const isNameless = !policy.name?.trim()
  useEffect(() => nameRef.current?.focus(), [])
  const setPolicyField = (field: string, value: unknown): void =>
    setDraft((current) => ({ ...current, policy: withField(current.policy, field, value) }))
  const setZones = (ids: readonly string[]): void => setDraft((current) => ({ ...current, zoneIds: ids }))
  const getFindings = (path: string): string[] =>
    (findings ?? [])
      .filter((finding) => toPartPath(finding.path) === path)
      .map((finding) => formatFinding(t, finding))
  const submit = (): void => {
    setWasSubmitted(true)
    if (isNameless) nameRef.current?.focus()
    else save(draft)
  }
  return (
    <form className={styles['root']} noValidate onSubmit={(event) => event.preventDefault()}>
      <EditorHead
        mode={mode}
        saved={saved}
        name={policy.name ?? ''}
        nameRef={nameRef}
        isNameMissing={wasSubmitted && isNameless}
        isPending={isPending}
        refused={fault?.kind === 'refused' ? fault.error : null}
        onName={(value) =>
          setDraft((current) => ({ ...current, policy: { ...current.policy, name: value } }))
        }
        onSave={submit}
      />
      <div className={styles['body']}>
        <div className={styles['form']}>
          <RegulationFindings findings={findings} isComplete={check?.is_complete !== false} />
          <FormSection title={t('curb:regulations.part.what')}>
            <DescriptionFields
              policy={policy}
              findings={getFindings('priority')}
              onFieldChange={setPolicyField}
            />
            <Precedences check={check} zoneCount={zoneIds.length} />
          </FormSection>
          <FormSection title={t('curb:regulations.part.rules')}>
            <RuleFields
              rules={policy.rules}
              context={context}
              getFindings={getFindings}
              onChange={(rules) => setPolicyField('rules', rules)}
            />
          </FormSection>
          <FormSection title={t('curb:regulations.part.when')}>
            <SpanFields
              spans={policy.time_spans ?? []}
              context={context}
              getFindings={getFindings}
              onChange={(spans) => setPolicyField('time_spans', spans)}
            />
          </FormSection>
          <FormSection title={t('curb:regulations.part.zones')}>
            <ZoneFields
              zoneIds={zoneIds}
              error={getFindings('curb_zone_ids')[0] ?? null}
              onChange={setZones}
            />
          </FormSection>
        </div>
        <div className={styles['side']}>
          <section className={styles['weekBox']} aria-label={t('curb:regulations.week.title')}>
            <WeekPicture spans={policy.time_spans ?? []} check={check} context={context} />
          </section>
          <div className={styles['map']}>
            <ZonesMap
              region={region}
              zoneIds={zoneIds}
              box={box}
              at={at}
              onPick={(id) =>
                setZones(zoneIds.includes(id) ? zoneIds.filter((other) => other !== id) : [...zoneIds, id])
              }
            />
          </div>
        </div>
      </div>
      <UnsavedGuard
        hasUnsavedChanges={() => !isSavedRef.current && isChanged(start, draft)}
        title={t('policies:confirm.leave.title')}
        action={t('policies:confirm.leave.action')}
        text={t('curb:regulations.edit.leave')}
      />
      {fault?.kind === 'conflict' ? (
        <ConflictDialog
          base={start}
          mine={draft}
          theirs={fault.theirs}
          context={context}
          isPending={isPending}
          onClose={clear}
          onSave={(merged, replaced) => {
            setDraft(merged)
            save(merged, replaced)
          }}
        />
      ) : null}
    </form>
  )
}

interface EditorHeadProps {
  mode: Props['mode']
  saved: RegulationDetail | null
  name: string
  nameRef: RefObject<HTMLInputElement | null>
  isNameMissing: boolean
  isPending: boolean
  /** Why the server refused to save. */
  refused: DisplayableError | null
  onName: (name: string) => void
  onSave: () => void
}

/** The title, the name, and the buttons of the editor. */
function EditorHead({
  mode,
  saved,
  name,
  nameRef,
  isNameMissing,
  isPending,
  refused,
  onName,
  onSave,
}: EditorHeadProps) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const cancelPath =
    mode === 'edit' && saved
      ? regulationAddress(regionId, saved.regulation_id)
      : pagePath(regionId, 'regulationsLibrary')
  return (
    <header className={styles['head']}>
      <div className={styles['headLine']}>
        <Link className={styles['back']} to={pagePath(regionId, 'regulationsLibrary')}>
          <IconChevronLeft size={16} aria-hidden="true" />
          {t('curb:regulations.edit.back')}
        </Link>
        <h1 className={styles['title']}>
          {t(mode === 'edit' ? 'shell:pages.regulationEdit' : 'shell:pages.regulationCreate')}
        </h1>
      </div>
      <div className={styles['headLine']}>
        <TextInput
          className={styles['nameField'] ?? ''}
          ref={nameRef}
          label={t('curb:regulations.field.name')}
          required
          maxLength={500}
          value={name}
          error={isNameMissing ? t('policies:fault.required') : null}
          onChange={(event) => onName(event.currentTarget.value)}
        />
        <div className={styles['buttons']}>
          <Button variant="default" component={Link} to={cancelPath}>
            {t('kit:cancel')}
          </Button>
          {/* No submit button: Enter in a field must complete the field, not save. */}
          <Button loading={isPending} onClick={onSave}>
            {t('kit:save')}
          </Button>
        </div>
      </div>
      {isNameMissing ? (
        <p role="alert" className={styles['unresolved']}>
          {t('policies:unresolved')}
        </p>
      ) : null}
      {refused ? <FailedState error={refused} title={t('curb:regulations.edit.failed')} /> : null}
      {saved?.published ? <p className={styles['hint']}>{t('curb:regulations.edit.publishedHint')}</p> : null}
    </header>
  )
}

interface DescriptionFieldsProps {
  policy: RegulationDraft['policy']
  /** Findings about the priority. */
  findings: readonly string[]
  onFieldChange: (field: string, value: unknown) => void
}

/** The description and the priority. */
function DescriptionFields({ policy, findings, onFieldChange }: DescriptionFieldsProps) {
  const { t } = useTranslation()
  const band = getPriorityBand(policy.priority)
  return (
    <>
      <Textarea
        label={t('curb:regulations.field.description')}
        autosize
        minRows={1}
        maxRows={6}
        maxLength={5000}
        value={policy.description ?? ''}
        onChange={(event) => onFieldChange('description', event.currentTarget.value)}
      />
      <div className={styles['priority']} data-part="priority">
        <Select
          label={t('curb:regulations.priority.band')}
          allowDeselect={false}
          data={priorityBands.map((option) => ({
            value: option.key,
            label: `${option.from}${option.to === null ? '+' : `–${option.to}`} · ${formatPriorityBand(t, option)}`,
          }))}
          value={band.key}
          onChange={(key) =>
            onFieldChange(
              'priority',
              priorityBands.find((option) => option.key === key)?.from ?? policy.priority,
            )
          }
        />
        <NumberInput
          label={t('curb:regulations.field.priority')}
          min={0}
          max={1_000_000}
          allowDecimal={false}
          value={policy.priority}
          onChange={(value) => {
            if (typeof value === 'number') onFieldChange('priority', value)
          }}
        />
      </div>
      <p className={styles['hint']}>
        {t('curb:regulations.priority.hint')} {t(`curb:regulations.priority.${band.key}`)}
      </p>
      {findings.map((text) => (
        <p key={text} className={styles['finding']}>
          {text}
        </p>
      ))}
    </>
  )
}
