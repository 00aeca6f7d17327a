import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'

/** Leads on, once. (The router's own Navigate does so at every render, which never ends while the next screen is being fetched.) */
export function Redirect({ to }: { to: string }) {
  const navigate = useNavigate()
  useEffect(() => {
    void navigate({ to, replace: true })
  }, [to, navigate])
  return null
}
