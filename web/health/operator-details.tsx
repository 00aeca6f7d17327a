import { Title, Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FeedStatus, OperatorHealth } from '#contract/health.ts'
import type { HealthFigureName } from '#contract/health-figures.ts'
import { listIncidents, type Incident } from '#contract/incidents.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { formatInteger } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { FigureTable } from './figure-table.tsx'
import { type HealthSearch, toPeriodQuery } from './health-search.ts'
import { HoursCalendar } from './hours-calendar.tsx'
import styles from './operator-details.module.css'
import { RowList } from './row-list.tsx'
import { SubscribePanel } from './subscribe-panel.tsx'
import { IncidentCard } from './incident-card.tsx'

/** Number of closed incidents shown by default; open ones are always shown. */
const shownClosedIncidents = 3
/** Number of illegal transitions in the list of the most frequent ones. */
const maxTransitions = 5

interface IncidentListProps {
  incidents: readonly Incident[]
  name: string
  timezone: string
}

/** The incidents of an operator: open ones first, then newest first. */
function IncidentList({ incidents, name, timezone }: IncidentListProps) {
  const { t } = useTranslation()
  const [isExpanded, setIsExpanded] = useState(false)
  const openIncidents = incidents.filter((incident) => incident.closed_time === null)
  const closedIncidents = incidents.filter((incident) => incident.closed_time !== null)
  const shownIncidents = isExpanded
    ? incidents
    : [...openIncidents, ...closedIncidents.slice(0, shownClosedIncidents)]
  if (incidents.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('health:incidents.empty')}
      </Text>
    )
  return (
    <Stack gap="sm">
      <Stack
        component="ul"
        gap="sm"
        p={0}
        m={0}
        style={{ listStyle: 'none' }}
        aria-label={t('health:incidents.list', { name })}
      >
        {shownIncidents.map((incident) => (
          <li key={incident.incident_id}>
            <IncidentCard incident={incident} timezone={timezone} />
          </li>
        ))}
      </Stack>
      {shownIncidents.length < incidents.length ? (
        <Button variant="subtle" size="xs" onClick={() => setIsExpanded(true)}>
          {t('health:incidents.more', { shown: formatInteger(incidents.length) })}
        </Button>
      ) : null}
    </Stack>
  )
}

interface Props {
  region: { regionId: string; text: string; timezone: string }
  health: OperatorHealth
  feeds: readonly FeedStatus[]
  search: HealthSearch
  change: (changes: Partial<HealthSearch>) => void
}

/** The data health of an operator: figures with their rows, hours, incidents, and subscriptions. */
export function OperatorDetails({ region, health, feeds, search, change }: Props) {
  const { t } = useTranslation()
  const { operator, name, figures, days, transitions } = health
  const incidents = useEndpointQuery(
    listIncidents,
    { params: { region_id: region.regionId }, query: { operator, size: 50 } },
    { staleTime: 0, refetchInterval: 60_000 },
  )
  /** Whether a figure was pressed, so that its rows get the focus. */
  const [isFigurePressed, setIsFigurePressed] = useState(false)
  const title = t('health:details', { name })
  const handleRows = (figure: HealthFigureName) => {
    setIsFigurePressed(true)
    change({ figure: figure === search.figure ? undefined : figure, page: undefined })
  }
  return (
    <section aria-label={title}>
      <Title order={2} mb="sm">
        {title}
      </Title>
      <div className={styles['columns']}>
        <FigureTable
          label={t('health:figure.title')}
          figures={figures}
          selected={search.figure}
          onRows={handleRows}
        />
        <div className={styles['panel']}>
          <Title order={3} mb="xs">
            {t('health:calendar.title')}
          </Title>
          <HoursCalendar days={days} />
          {transitions.length ? (
            <>
              <Title order={3} mt="md" mb="xs">
                {t('health:transitions.title')}
              </Title>
              <ul className={styles['transitions']}>
                {transitions.slice(0, maxTransitions).map((transition) => (
                  <li key={`${transition.from} ${transition.event_types.join()} ${transition.to}`}>
                    <span className="figures">{formatInteger(transition.count)}</span>{' '}
                    {t('health:transitions.text', {
                      types: transition.event_types.join(', '),
                      from: transition.from,
                      to: transition.to,
                    })}
                  </li>
                ))}
              </ul>
            </>
          ) : null}
        </div>
      </div>
      {search.figure ? (
        <RowList
          key={`${operator} ${search.figure}`}
          regionId={region.regionId}
          timezone={region.timezone}
          operator={operator}
          figure={search.figure}
          period={toPeriodQuery(search)}
          feeds={feeds}
          state={search}
          takesFocus={isFigurePressed}
          onStateChange={change}
          onClose={() => change({ figure: undefined, page: undefined })}
        />
      ) : null}
      <div className={styles['columns']}>
        <div>
          <Title order={2} mb="sm">
            {t('health:incidents.title')}
          </Title>
          <Loaded query={incidents} dim={false}>
            {(data) => (
              <IncidentList key={operator} incidents={data.items} name={name} timezone={region.timezone} />
            )}
          </Loaded>
        </div>
        <div>
          <Title order={2} mb="sm">
            {t('health:subscribe.title')}
          </Title>
          <div className={styles['panel']}>
            <SubscribePanel region={region} operator={{ slug: operator, name }} />
          </div>
        </div>
      </div>
    </section>
  )
}
