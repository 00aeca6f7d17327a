import { QueryClientProvider } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { newQueryClient } from '#web/data/query.ts'
import { PublicPolicies } from './public-policies.tsx'

/** The policies of a region for everybody, without sign-in. Outside of the frame of those who signed in, it keeps its answers itself. */
export function PublicPoliciesScreen() {
  const [client] = useState(newQueryClient)
  const [at] = useState(() => Date.now())
  const { regionId = '' } = useParams({ strict: false }) as { regionId?: string }
  return <QueryClientProvider client={client}><PublicPolicies key={regionId} regionId={regionId} at={at} /></QueryClientProvider>
}
