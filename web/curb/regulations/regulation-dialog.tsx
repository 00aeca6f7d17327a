import { Radio, Text, TextInput } from '@mantine/core'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { civilClock } from '#contract/civil-clock.ts'
import {
  deleteCurbPolicy,
  discardCurbDraft,
  filterCurbPolicies,
  getCurbPolicy,
  listCurbPolicyRevisions,
  publishCurbPolicy,
  type Regulation,
  type RegulationDetail,
} from '#contract/curb-regulations.ts'
import { dayNumber, localDay } from '#contract/period.ts'
import { policyTexts } from '#contract/policy-texts.ts'
import { useOpenedAt } from '#web/data/clock.ts'
import { endpointQueryKey, useEndpointQuery } from '#web/data/query.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'
import { Dialog } from '#web/kit/dialog.tsx'
import { formatDateTime } from '#web/kit/format.ts'
import { TimeInput } from '#web/kit/time/time-input.tsx'
import type { TimeOfDay } from '#web/kit/time/time-of-day.ts'
import { showToast } from '#web/kit/toasts.tsx'
import { Precedences } from './precedences.tsx'
import type { RegulationAction } from './regulation-menu.ts'
import styles from './regulations.module.css'
import { useRegulationCheck } from './use-regulation-check.ts'

const doneTexts = {
  delete: 'deleted',
  discard: 'discarded',
  publish: 'published',
  unpublish: 'unpublished',
} as const satisfies Record<RegulationAction, string>

/** Queries of the library, a regulation and its history. */
export const regulationQueries = [filterCurbPolicies, getCurbPolicy, listCurbPolicyRevisions] as const

/** Stores the regulation of a response in the cache, because its previous id may no longer exist. */
function storeRegulation(client: QueryClient, regulation: RegulationDetail): void {
  const params = { region_id: regulation.region_id, curb_policy_id: regulation.regulation_id }
  client.setQueryData(endpointQueryKey(getCurbPolicy, { params }), regulation)
  void client.invalidateQueries({ queryKey: endpointQueryKey(listCurbPolicyRevisions, { params }) })
}

interface Props {
  action: RegulationAction
  regulation: Regulation
  timezone: string
  onClose: () => void
  /** `published` is null after a deletion. */
  onDone?: ((published: Regulation | null) => void) | undefined
}

/** When a publication takes effect: now, or later at a local day and time. */
interface PublicationStart {
  isLater: boolean
  day: string
  time: TimeOfDay | null
}

const dayMs = 86_400_000
/** Returns the instant (ms) of a later start; null if its day or time is missing. */
const getStartTimeMs = ({ day, time }: PublicationStart, timezone: string): number | null =>
  day && time ? civilClock(timezone).instant(dayNumber(day), time.hour * 60 + time.minute).ms : null

/** Asks to confirm the publication, withdrawal or deletion of a regulation, or the loss of its draft. */
export function RegulationDialog({ action, regulation, timezone, onClose, onDone }: Props) {
  const { t } = useTranslation()
  const openedAt = useOpenedAt()
  const [start, setStart] = useState<PublicationStart>(() => ({
    isLater: false,
    day: localDay(new Date(openedAt + dayMs), timezone),
    time: { hour: 0, minute: 0 },
  }))
  // The user leaves the page of a deleted regulation, so it is not reloaded.
  const remove = useEndpointMutation(deleteCurbPolicy, [filterCurbPolicies])
  const client = useQueryClient()
  const publish = useEndpointMutation(publishCurbPolicy, [filterCurbPolicies])
  const discard = useEndpointMutation(discardCurbDraft, regulationQueries)
  if (action === 'publish' && regulation.status === 'expired')
    return (
      <Dialog title={t('curb:regulations.confirm.expired')} onClose={onClose}>
        <Text>{policyTexts.expired}</Text>
      </Dialog>
    )
  const effectiveMs = start.isLater ? getStartTimeMs(start, timezone) : null
  const isPast = effectiveMs !== null && effectiveMs < openedAt
  const isStartInvalid = action === 'publish' && start.isLater && (effectiveMs === null || isPast)
  const params = { region_id: regulation.region_id }
  const revision = { curb_policy_id: regulation.id, if_modified_time: regulation.modified_time }
  const handleDone = (published: Regulation | null): void => {
    showToast(t(`kit:did.${doneTexts[action]}`, { name: regulation.name }))
    // The zones were added to another regulation with the same content.
    if (published && action === 'publish' && published.regulation_id !== regulation.regulation_id)
      showToast(t('curb:regulations.confirm.merged', { name: published.name }))
    onClose()
    onDone?.(published)
  }
  const confirm = (): void => {
    if (isStartInvalid) return
    if (action === 'delete') remove.mutate({ params, body: revision }, { onSuccess: () => handleDone(null) })
    else if (action === 'discard') discard.mutate({ params, body: revision }, { onSuccess: handleDone })
    else
      publish.mutate(
        {
          params,
          body: {
            ...revision,
            published: action === 'publish',
            ...(effectiveMs === null ? {} : { effective_time: new Date(effectiveMs).toISOString() }),
          },
        },
        {
          onSuccess: (published) => {
            storeRegulation(client, published)
            handleDone(published)
          },
        },
      )
  }
  return (
    <ConfirmDialog
      title={t(`curb:regulations.confirm.${action}.title`)}
      action={t(`policies:acts.${action}`)}
      isDanger={action !== 'publish'}
      isPending={remove.isPending || publish.isPending || discard.isPending}
      error={remove.error ?? publish.error ?? discard.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text fw={600} mb="xs">
        {regulation.name}
      </Text>
      <Text>{t(`curb:regulations.confirm.${action}.text`, { count: regulation.zone_count })}</Text>
      {action === 'publish' ? (
        <>
          <StartFields start={start} isPast={isPast} onChange={setStart} />
          {regulation.published_policy_id === null ? null : (
            <Text mt="sm" size="sm" c="dimmed">
              {effectiveMs === null
                ? t('curb:regulations.confirm.replacesNow')
                : t('curb:regulations.confirm.replaces', {
                    time: formatDateTime(new Date(effectiveMs).toISOString(), timezone),
                  })}
            </Text>
          )}
          <PublicationReview regulation={regulation} />
        </>
      ) : null}
    </ConfirmDialog>
  )
}

interface StartFieldsProps {
  start: PublicationStart
  isPast: boolean
  onChange: (start: PublicationStart) => void
}

/** The choice when a publication takes effect. */
function StartFields({ start, isPast, onChange }: StartFieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <Radio.Group
        mt="md"
        label={t('curb:regulations.confirm.start')}
        value={start.isLater ? 'later' : 'now'}
        onChange={(value) => onChange({ ...start, isLater: value === 'later' })}
      >
        <div className={styles['choices']}>
          <Radio value="now" label={t('curb:regulations.confirm.now')} />
          <Radio value="later" label={t('curb:regulations.confirm.later')} />
        </div>
      </Radio.Group>
      {start.isLater ? (
        <div className={styles['pair']}>
          <TextInput
            type="date"
            max="9999-12-31"
            label={t('curb:regulations.confirm.day')}
            value={start.day}
            error={isPast ? t('curb:regulations.confirm.past') : null}
            onChange={(event) => onChange({ ...start, day: event.currentTarget.value })}
          />
          <TimeInput
            label={t('curb:regulations.confirm.time')}
            value={start.time}
            onChange={(time) => onChange({ ...start, time })}
          />
        </div>
      ) : null}
    </>
  )
}

/** Lists the regulations that take precedence in its zones, before a regulation is published. */
function PublicationReview({ regulation }: { regulation: Regulation }) {
  const detail = useEndpointQuery(getCurbPolicy, {
    params: { region_id: regulation.region_id, curb_policy_id: regulation.regulation_id },
  }).data
  return detail?.curb_zone_ids.length ? <CheckedRegulation regulation={detail} /> : null
}

function CheckedRegulation({ regulation }: { regulation: RegulationDetail }) {
  const { region_id: regionId, policy, id, curb_zone_ids: zoneIds } = regulation
  return (
    <Precedences check={useRegulationCheck(regionId, { policy, zoneIds }, id)} zoneCount={zoneIds.length} />
  )
}
