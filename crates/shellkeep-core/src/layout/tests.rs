mod property;
mod recorded;
