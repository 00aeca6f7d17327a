import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'

/** Redirects once. The router's Navigate redirects at every render, which loops while the next screen is loading. */
export function Redirect({ to }: { to: string }) {
  const navigate = useNavigate()
  useEffect(() => {
    void navigate({ to, replace: true })
  }, [to, navigate])
  return null
}
