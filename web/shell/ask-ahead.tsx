import { useQueryClient } from '@tanstack/react-query'
import { useMatches, useParams } from '@tanstack/react-router'
import { useContext, useEffect, useEffectEvent } from 'react'
import { getOrganization } from '#contract/organizations.ts'
import { getRegion } from '#contract/regions.ts'
import { askAhead } from '#web/data/query.ts'
import { ShellSlotsContext } from './shell-slots.ts'
import { rememberedUser } from './stored.ts'

/**
 * Asks at once for what the first page is going to ask for step by step: who belongs where, the region, what the screen shows. The
 * server answers each by what the viewer may see, and what is refused is told where it is needed. Not for somebody who must sign in first.
 */
export function AskAhead() {
  const client = useQueryClient()
  const { Gate } = useContext(ShellSlotsContext)
  const { regionId } = useParams({ strict: false }) as { regionId?: string }
  const askScreen = useMatches({ select: (matches) => matches.at(-1)?.staticData.askAhead })

  const ask = useEffectEvent(() => {
    const user = rememberedUser()
    if (!user) return
    void Gate?.preload?.()
    void askAhead(client, getOrganization, { params: { organization_id: user.organizationId } })
    if (regionId === undefined) return
    void askAhead(client, getRegion, { params: { region_id: regionId } })
    askScreen?.(client, regionId).catch(() => undefined)
  })
  useEffect(() => ask(), [])
  return null
}
