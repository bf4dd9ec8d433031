/** The names of the days of the week. */
export const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** The days of the week as a field counts them: Monday is `1`. */
export const weekDays = dayNames.map((name, index) => ({ value: String(index + 1), name }));
