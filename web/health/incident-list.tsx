import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Incident } from '#contract/incidents.ts'
import { formatWhole } from '#web/kit/format.ts'
import { IncidentCard } from './incident-card.tsx'

/** Closed incidents shown before all of them are asked for; open ones always are. */
const few = 3

/** The incidents of an operator: open ones first, then the newest. */
export function IncidentList({
  incidents,
  name,
  zone,
}: {
  incidents: readonly Incident[]
  name: string
  zone: string
}) {
  const { t } = useTranslation()
  const [isAll, setAll] = useState(false)
  const open = incidents.filter((each) => each.closed_time === null)
  const shown = isAll
    ? incidents
    : [...open, ...incidents.filter((each) => each.closed_time !== null).slice(0, few)]
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
        {shown.map((incident) => (
          <li key={incident.incident_id}>
            <IncidentCard incident={incident} zone={zone} />
          </li>
        ))}
      </Stack>
      {shown.length < incidents.length ? (
        <Button variant="subtle" size="xs" onClick={() => setAll(true)}>
          {t('health:incidents.more', { shown: formatWhole(incidents.length) })}
        </Button>
      ) : null}
    </Stack>
  )
}
