import { Button } from '@mantine/core'
import { IconChevronLeft, IconPencil, IconWorldOff, IconWorldUpload } from '@tabler/icons-react'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RegulationDetail } from '#contract/curb-regulations.ts'
import { getCurbSettings } from '#contract/curb-settings.ts'
import type { Box } from '#contract/place.ts'
import { useOpenedAt } from '#web/data/clock.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { RowMenu } from '#web/kit/action-menu.tsx'
import { formatDateTime, formatNearDistance, formatInteger } from '#web/kit/format.ts'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { PublicPageField } from '#web/shell/public-page-links.tsx'
import { publicAddress } from '#web/shell/public-address.ts'
import { useMe } from '#web/shell/me.tsx'
import { PermissionHolders } from '#web/shell/permission-holders.tsx'
import { pagePath } from '#web/shell/pages.ts'
import { useRegion } from '#web/shell/region.tsx'
import { Precedences } from './precedences.tsx'
import { RegulationLoader } from './regulation-loader.tsx'
import { regulationAddress } from './regulation-address.ts'
import { RegulationDialog } from './regulation-dialog.tsx'
import { useZonesBox } from './regulation-editor.tsx'
import { RegulationHistory } from './regulation-history.tsx'
import { type RegulationAction, getRegulationMenu } from './regulation-menu.ts'
import styles from './regulations.module.css'
import { formatPriority, formatCdsRule } from '../rule-text.ts'
import { hasDraftBeside, StatusMark } from './status-mark.tsx'
import { useTextContext } from '../use-text-context.ts'
import { useRegulationCheck } from './use-regulation-check.ts'
import { WeekPicture } from './week-picture.tsx'
import { ZonesMap } from './zones-map.tsx'

/** Zoom at which the streets around a zone are visible. */
const zoneZoom = 16

/** One regulation: its rules, when and where it applies, and its history. */
export function RegulationScreen() {
  const { regulationId = '' } = useParams({ strict: false }) as { regulationId?: string }
  return (
    <RegulationLoader key={regulationId} id={regulationId}>
      {(regulation) => <RegulationPage regulation={regulation} />}
    </RegulationLoader>
  )
}

/** Returns the address of the public map of regulations, with a view of the regulation's zones. */
function getPublicMapAddress(regionId: string, box: Box | null): string {
  const address = publicAddress(regionId, 'regulations')
  if (!box) return address
  const [west, south, east, north] = box
  const view = [(west + east) / 2, (south + north) / 2].map((degrees) => Number(degrees.toFixed(5)))
  return `${address}?view=${encodeURIComponent(JSON.stringify([...view, zoneZoom]))}`
}

/** The details of a regulation, with its actions. */
function RegulationPage({ regulation }: { regulation: RegulationDetail }) {
  const { t } = useTranslation()
  const { can } = useMe()
  const navigate = useNavigate()
  const { regulationId } = useParams({ strict: false }) as { regulationId?: string }
  const region = useRegion()
  const context = useTextContext()
  const { regionId, timezone } = region
  const at = useOpenedAt()
  const [dialog, setDialog] = useState<RegulationAction | null>(null)
  const box = useZonesBox(regionId, regulation.curb_zone_ids)
  const library = pagePath(regionId, 'regulationsLibrary')
  const isPublic = useEndpointQuery(getCurbSettings, { params: { region_id: regionId } }).data?.settings
    .isPublic
  const { regulation_id: id } = regulation
  return (
    <ReadingPage>
      <Link className={styles['back']} to={library}>
        <IconChevronLeft size={16} aria-hidden="true" />
        {t('curb:regulations.edit.back')}
      </Link>
      <PageHeader
        title={regulation.name}
        context={<StatusMark regulation={regulation} />}
        actions={
          can('edit_curb_regulations') ? (
            <RegulationActions regulation={regulation} onAction={setDialog} />
          ) : null
        }
      />
      {isPublic && (regulation.published || hasDraftBeside(regulation)) ? (
        <PublicPageField address={getPublicMapAddress(regionId, box)} />
      ) : null}
      {regulation.published ? null : (
        <PermissionHolders regionId={regionId} permission="edit_curb_regulations" />
      )}
      {hasDraftBeside(regulation) ? (
        <p className={styles['draft']}>{t('curb:regulations.view.draftBeside')}</p>
      ) : null}
      <div className={styles['top']}>
        <RegulationDetails regulation={regulation} />
        <div className={styles['viewMap']}>
          <ZonesMap region={region} zoneIds={regulation.curb_zone_ids} box={box} at={at} />
        </div>
      </div>
      <section className={styles['viewPart']} aria-labelledby="history">
        <h2 id="history">{t('policies:view.history')}</h2>
        <RegulationHistory regionId={regionId} regulationId={id} context={context} />
      </section>
      {dialog ? (
        <RegulationDialog
          action={dialog}
          regulation={regulation}
          timezone={timezone}
          onClose={() => setDialog(null)}
          onDone={(published) => {
            if (dialog === 'delete') void navigate({ to: library })
            else if (published && published.regulation_id !== regulationId)
              void navigate({ to: regulationAddress(regionId, published.regulation_id) })
          }}
        />
      ) : null}
    </ReadingPage>
  )
}

interface RegulationActionsProps {
  regulation: RegulationDetail
  onAction: (action: RegulationAction) => void
}

/** The buttons and the menu for editors. */
function RegulationActions({ regulation, onAction }: RegulationActionsProps) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  return (
    <>
      <Button
        variant="default"
        component={Link}
        to={regulationAddress(regionId, regulation.regulation_id, 'edit')}
        leftSection={<IconPencil size={18} />}
      >
        {t('policies:acts.edit')}
      </Button>
      {regulation.published ? (
        <Button
          variant="default"
          leftSection={<IconWorldOff size={18} />}
          onClick={() => onAction('unpublish')}
        >
          {t('policies:acts.unpublish')}
        </Button>
      ) : (
        <Button leftSection={<IconWorldUpload size={18} />} onClick={() => onAction('publish')}>
          {t('policies:acts.publish')}
        </Button>
      )}
      <RowMenu {...getRegulationMenu(t, regulation, true, onAction)} />
    </>
  )
}

/** The rules, fields and times of the regulation, and the precedence of other regulations. */
function RegulationDetails({ regulation }: { regulation: RegulationDetail }) {
  const { t } = useTranslation()
  const { regionId, timezone, isMetric } = useRegion()
  const context = useTextContext()
  const { policy, curb_zone_ids: zoneIds } = regulation
  const check = useRegulationCheck(regionId, { policy, zoneIds }, regulation.id)
  const formatTime = (value: string | null): string | null => (value ? formatDateTime(value, timezone) : null)
  const facts = [
    ['priority', formatPriority(t, policy.priority)],
    ['description', policy.description ?? null],
    [
      'zones',
      t('curb:regulations.view.zones', {
        count: regulation.zone_count,
        shown: formatInteger(regulation.zone_count),
        length: formatNearDistance(regulation.length_m, isMetric),
      }),
    ],
    ['effective', formatTime(regulation.effective_time)],
    ['id', regulation.id],
    ['modified', [formatTime(regulation.modified_time), regulation.modified_by_email].join(' · ')],
  ] as const
  return (
    <div>
      <section className={styles['viewPart']} aria-labelledby="rules">
        <h2 id="rules">{t('curb:regulations.part.rules')}</h2>
        <ul className={styles['ruleLines']}>
          {policy.rules.map((rule, index) => (
            <li key={index}>
              {formatCdsRule(context, rule)}
              {rule.description ? <span className={styles['sub']}>{rule.description}</span> : null}
            </li>
          ))}
        </ul>
      </section>
      <section className={styles['viewPart']} aria-labelledby="details">
        <h2 id="details">{t('policies:view.details')}</h2>
        <dl className={styles['facts']}>
          {facts.map(([key, value]) =>
            value ? (
              <div key={key}>
                <dt>{t(`curb:regulations.view.${key === 'zones' ? 'where' : key}`)}</dt>
                <dd>{value}</dd>
              </div>
            ) : null,
          )}
        </dl>
      </section>
      <section className={styles['viewPart']} aria-labelledby="week">
        <h2 id="week">{t('curb:regulations.part.when')}</h2>
        <WeekPicture spans={policy.time_spans ?? []} check={check} context={context} />
        {zoneIds.length ? <Precedences check={check} zoneCount={zoneIds.length} /> : null}
      </section>
    </div>
  )
}
