import { Button, TextInput } from '@mantine/core'
import { IconChevronLeft, IconFlask } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Layer, listLayers } from '#contract/geography.ts'
import type { LocalDay } from '#contract/period.ts'
import type { ListedPolicy } from '#contract/policies.ts'
import type { Policy, PolicyFields } from '#contract/policy.ts'
import { findPolicyType } from '#contract/policy-types/list.ts'
import { FeeTryOut } from '#web/billing/fee-try-out.tsx'
import { otherRevision } from './policy-test/other-revision.ts'
import { PolicyTest } from './policy-test/policy-test.tsx'
import { useEndpointQuery } from '#web/data/query.ts'
import { pagePath } from '#web/shell/pages.ts'
import { useRegion } from '#web/shell/region.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import styles from './editor.module.css'
import { feesProcessing } from './fee-notice-dialog.tsx'
import { toPolicyScope } from './policy-scope.ts'
import { isChanged } from './merge-policy.ts'
import { hasDraftBeside } from './available-actions.ts'
import { policyAddress } from './policy-address.ts'
import { PolicyActionDialog } from './policy-action-dialog.tsx'
import { PolicyForm } from './policy-form.tsx'
import { PolicyMap } from './policy-map.tsx'
import { PolicyNoticeDialog } from './policy-notice-dialog.tsx'
import { usePolicyDraft } from './use-policy-draft.ts'
import { useSavePolicy } from './use-save-policy.ts'
import { usePolicyTextContext } from './use-policy-text-context.ts'
import { focusOnMount } from '#web/kit/focus.ts'
import { UnsavedGuard } from '#web/kit/unsaved-guard.tsx'

interface Props {
  mode: 'create' | 'edit' | 'duplicate'
  /** The fields at the start of editing. */
  start: PolicyFields
  /** The stored policy at the start of editing; null for a new one. */
  saved: ListedPolicy | null
  /** The region's current day. */
  today: LocalDay
  /** When the screen was opened, in ms since 1970. */
  at: number
}

const titles = { create: 'policyCreate', edit: 'policyEdit', duplicate: 'policyDuplicate' } as const
const hasVariablePrices = ({ fee_properties: { parking_fee_type: structure } }: PolicyFields): boolean =>
  structure !== null && structure !== 'fixed_price_per_event'

/** The editor of a policy: details on one side, map on the other. */
export function PolicyEditor({ mode, start, saved, today, at }: Props) {
  const { t } = useTranslation()
  const region = useRegion()
  const { regionId } = region
  const context = usePolicyTextContext()
  const layers = useEndpointQuery(listLayers, { params: { region_id: regionId } }).data?.items ?? null
  const form = usePolicyDraft(start, region.currencyCode)
  // Number of attempts to save with invalid fields.
  const [refusedAttempts, setRefusedAttempts] = useState(0)
  const startsWithTest = useSearch({
    strict: false,
    select: (search: { try?: unknown }) => search.try === true,
  })
  const [isTesting, setIsTesting] = useState(startsWithTest)
  const [isDiscarding, setIsDiscarding] = useState(false)
  const formElement = useRef<HTMLFormElement>(null)
  const backAddress =
    mode === 'edit' && saved
      ? policyAddress(regionId, saved.constant_policy_uuid)
      : pagePath(regionId, 'policies')
  const { isDone, leave, toPublished } = useLeaveEditor(mode, backAddress)
  const isFee = findPolicyType(form.draft.policy_type)?.isFee ?? false
  const refuse = (): void => setRefusedAttempts((attempts) => attempts + 1)
  const { save, isPending, fault, clear } = useSavePolicy({
    regionId,
    saved,
    onSaved: leave,
    onIssues: (issues) => {
      form.setServerFaults(issues)
      refuse()
    },
  })
  const submit = (): void => {
    if (form.check()) return refuse()
    setRefusedAttempts(0)
    return save(form.draft)
  }
  // Focuses the first invalid field.
  useEffect(() => {
    if (refusedAttempts > 0)
      formElement.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-error] input')?.focus()
  }, [refusedAttempts])
  const scope = useDraftScope(form, layers)
  return (
    <form ref={formElement} className={styles['root']} noValidate>
      <EditorHead
        mode={mode}
        saved={saved}
        form={form}
        backAddress={backAddress}
        isFee={isFee}
        isTesting={isTesting}
        isPending={isPending}
        refusedAttempts={refusedAttempts}
        onTest={() => setIsTesting(!isTesting)}
        onDiscard={() => setIsDiscarding(true)}
        onSave={submit}
      />
      <div className={styles['body']} data-trying={isTesting || undefined}>
        <section className={styles['form']} aria-label={t('policies:edit.details')}>
          <PolicyForm
            form={form}
            layers={layers}
            today={today}
            regionId={regionId}
            operatorName={context.operatorName}
          />
        </section>
        {isTesting ? (
          <DraftTest form={form} saved={saved} today={today} at={at} onClose={() => setIsTesting(false)} />
        ) : (
          <section className={styles['map']} aria-label={t('policies:edit.map')}>
            <PolicyMap region={region} layers={layers} scope={scope} at={at} onPick={form.toggleShape} />
          </section>
        )}
      </div>
      <UnsavedGuard
        hasUnsavedChanges={() => !isDone.current && isChanged(start, form.draft)}
        title={t('policies:confirm.leave.title')}
        action={t('policies:confirm.leave.action')}
        text={t('policies:confirm.leave.text')}
      />
      {fault?.kind === 'conflict' ? (
        <ConflictDialog
          base={start}
          mine={form.draft}
          theirs={fault.theirs}
          context={context}
          timezone={region.timezone}
          isPending={isPending}
          onClose={clear}
          onSave={(merged) => {
            form.replace(merged)
            save(merged, fault.theirs)
          }}
        />
      ) : null}
      {saved && isDiscarding ? (
        <PolicyActionDialog
          action="discard"
          policy={saved}
          region={region}
          onClose={() => setIsDiscarding(false)}
          onDone={toPublished}
        />
      ) : null}
      {fault?.kind === 'refused' ? (
        <PolicyNoticeDialog notice="saving" error={fault.error} onClose={clear} />
      ) : null}
    </form>
  )
}

interface EditorHeadProps {
  mode: Props['mode']
  saved: ListedPolicy | null
  form: ReturnType<typeof usePolicyDraft>
  /** Address of the page from which the editor was opened. */
  backAddress: string
  isFee: boolean
  isTesting: boolean
  isPending: boolean
  /** Number of attempts to save with invalid fields. */
  refusedAttempts: number
  onTest: () => void
  onDiscard: () => void
  onSave: () => void
}

/** The title, the name, and the buttons of the editor. */
function EditorHead({
  mode,
  saved,
  form,
  backAddress: back,
  isFee,
  isTesting,
  isPending,
  refusedAttempts,
  onTest,
  onDiscard,
  onSave,
}: EditorHeadProps) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  return (
    <header className={styles['head']}>
      <div className={styles['line']}>
        <Link className={styles['back']} to={pagePath(regionId, 'policies')}>
          <IconChevronLeft size={16} aria-hidden="true" />
          {t('policies:edit.back')}
        </Link>
        <h1 className={styles['title']}>{t(`shell:pages.${titles[mode]}`)}</h1>
      </div>
      <div className={styles['line']}>
        <TextInput
          className={styles['name'] ?? ''}
          ref={focusOnMount}
          label={t('policies:field.policy_name')}
          placeholder={t('policies:edit.nameHint')}
          required
          maxLength={255}
          value={form.draft.policy_name}
          error={form.errorFor('policy_name')}
          onChange={(event) => form.change({ policy_name: event.currentTarget.value })}
        />
        <div className={styles['buttons']}>
          <Button
            variant="default"
            leftSection={<IconFlask size={18} />}
            aria-pressed={isTesting}
            onClick={onTest}
          >
            {t(isFee ? 'billing:try.open' : 'compliance:try.open')}
          </Button>
          {saved && hasDraftBeside(saved) ? (
            <Button variant="subtle" color="red" onClick={onDiscard}>
              {t('policies:acts.discard')}
            </Button>
          ) : null}
          <Button variant="default" component={Link} to={back}>
            {t('kit:cancel')}
          </Button>
          {/* No submit button: Enter in a field must complete the field, not save. */}
          <Button loading={isPending} onClick={onSave}>
            {t('kit:save')}
          </Button>
        </div>
      </div>
      {/* A new key, so that screen readers announce it again. */}
      {refusedAttempts > 0 && form.isFaulty ? (
        <p key={refusedAttempts} role="alert" className={styles['unresolved']}>
          {t('policies:unresolved')}
        </p>
      ) : null}
      {saved?.published ? <p className={styles['hint']}>{t('policies:edit.publishedHint')}</p> : null}
    </header>
  )
}

/** Returns the shapes to which the draft applies. */
function useDraftScope(
  { draft, picksShapes }: ReturnType<typeof usePolicyDraft>,
  layers: readonly Layer[] | null,
) {
  const { policy_type: type, shape_layer_uuid: layerId, shape_uuids: shapeIds } = draft
  return useMemo(
    () =>
      toPolicyScope(
        { policy_type: type, shape_layer_uuid: layerId, shape_uuids: shapeIds },
        layers ?? [],
        picksShapes,
      ),
    [type, layerId, shapeIds, layers, picksShapes],
  )
}

/** Leaves the editor after saving or discarding; `isDone` prevents the question about unsaved changes. */
function useLeaveEditor(mode: Props['mode'], back: string) {
  const { regionId } = useRegion()
  const navigate = useNavigate()
  const isDone = useRef(false)
  // A new policy is opened after saving; otherwise the user returns to the library.
  const leave = (policy: Policy): void => {
    isDone.current = true
    const to =
      mode === 'edit' ? pagePath(regionId, 'policies') : policyAddress(regionId, policy.constant_policy_uuid)
    void navigate({ to, ...(hasVariablePrices(policy) ? { state: feesProcessing as never } : {}) })
  }
  const toPublished = (): void => {
    isDone.current = true
    void navigate({ to: back })
  }
  return { isDone, leave, toPublished }
}

interface DraftTestProps extends Pick<Props, 'saved' | 'today' | 'at'> {
  form: ReturnType<typeof usePolicyDraft>
  onClose: () => void
}

/** The effect of the draft on past days: fees, or compliance. */
function DraftTest({ form, saved, today, at, onClose }: DraftTestProps) {
  const region = useRegion()
  const { operatorName } = usePolicyTextContext()
  const isFee = findPolicyType(form.draft.policy_type)?.isFee ?? false
  return isFee ? (
    <FeeTryOut
      region={region}
      policy={form.draft}
      today={today}
      operatorName={operatorName}
      onClose={onClose}
    />
  ) : (
    <PolicyTest
      region={region}
      policy={form.draft}
      picksShapes={form.picksShapes}
      other={otherRevision(saved, form.draft)}
      today={today}
      at={at}
      onLimitChange={form.change}
      operatorName={operatorName}
      onClose={onClose}
    />
  )
}
