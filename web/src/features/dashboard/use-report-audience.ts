import { useCan } from '../../lib/can.tsx'

/** The audience: a user with a company-wide view, a supervisor with their queues, or an agent with their own tickets. */
export function useReportAudience(): { seesCompany: boolean; isAgent: boolean } {
  const may = useCan()
  const isWhole = may('dashboard:view')
  return { seesCompany: isWhole, isAgent: !isWhole && !may('tickets:lead') }
}
